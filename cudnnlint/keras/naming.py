"""The names that Keras makes: of a class, and for the two directions of a Bidirectional."""

from __future__ import annotations

import re

from cudnnlint.core.layer import Wrapper


def direction_name(framework_major: int, wrapper: Wrapper, name: str) -> str:
    """Return the name, in Keras 2 or 3, of the direction `wrapper.role` whose wrapped layer is called `name`.

    Asked of tf_keras 2.21 and keras 3.15.1, in memory and after loading `.keras` and `.h5`. Keras 2 always puts
    the prefix in front. Keras 3 puts it once, and takes an explicit backward layer as it is called: in a file of
    Keras 3 the layer is `forward_x` and the backward layer, always written out, has its own full name.
    """
    prefix = f"{wrapper.role}_"
    if framework_major >= 3:
        if wrapper.explicit and wrapper.role == "backward":
            return name
        name = name.removeprefix(prefix)
    return prefix + name


def snake_case(name: str) -> str:
    """Return what Keras 3 makes of a class name (`naming.to_snake_case`): CuDNNLSTM is cu_dnnlstm, PReLU p_re_lu."""
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", re.sub(r"\W+", "", name))
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()
