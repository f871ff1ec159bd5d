"""Which dotted names are Keras, and which Keras names are recurrent. Filled from rules/tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from packaging.version import Version

from cudnnlint.core.load_fault import LoadFault
from cudnnlint.core.masking import MaskTable
from cudnnlint.core.quick_dataclass import dataclass
from cudnnlint.core.taken_arguments import TakenArguments


@dataclass(frozen=True)
class Names:
    """The vocabulary that both front ends recognise layers by, whatever the target.

    `roots` are the dotted prefixes under which Keras lives ("keras", "tensorflow.keras", ...), longest
    first; `frameworks` the top-level packages whose functions are recognised by name alone; `absent` the recurrent
    classes that some release has not, as (prefix, class name); `lasting` what every release has below `keras`;
    `masks` what its classes do with masks.
    `look_alikes` are packages that have other classes of the same names.
    `positional` are the arguments of a class in order, `arguments` those of recurrent layers that have a default,
    `lasting_defaults` the defaults of a recurrent class that are the same in every release,
    `activations` the functions that Keras finds by name; `milestones` the releases at which the packages become
    something else (tables/milestones.toml); `load_faults` what in a saved file keeps which releases from loading it,
    and `taken` what the layers of Keras 3 take out of one. `aliases` are the other names of classes of layers, and
    `ranks` how many dimensions, with the batch, the input of a class has; `exported` are classes of layers of which
    nothing more is known, `former` others that only old releases have. `dropped` are names, methods and keywords that
    releases have dropped, and `old_modules` what programs import of old Keras, each with the package and the first
    release that is without it.
    """

    roots: tuple[str, ...]
    frameworks: frozenset[str]
    recurrent: frozenset[str]
    cells: frozenset[str]
    wrappers: frozenset[str]
    absent: frozenset[tuple[str, str]] = frozenset()
    lasting: frozenset[str] = frozenset()
    exported: frozenset[str] = frozenset()
    former: frozenset[str] = frozenset()
    dropped: frozenset[str] = frozenset()
    old_modules: Mapping[str, tuple[str, Version]] = field(default_factory=dict)
    look_alikes: frozenset[str] = frozenset()
    positional: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    arguments: frozenset[str] = frozenset()
    lasting_defaults: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    activations: frozenset[str] = frozenset()
    milestones: Mapping[str, Version] = field(default_factory=dict)
    masks: MaskTable = field(default_factory=MaskTable)
    load_faults: tuple[LoadFault, ...] = ()
    taken: TakenArguments = field(default_factory=TakenArguments)
    aliases: Mapping[str, str] = field(default_factory=dict)
    ranks: Mapping[str, frozenset[int]] = field(default_factory=dict)

    @cached_property
    def _prefixes(self) -> tuple[str, ...]:
        return tuple(f"{root}." for root in self.roots)

    @cached_property
    def _lacking(self) -> dict[str, tuple[str, ...]]:
        """The prefixes below which some release does not have a recurrent class, by its name."""
        found: dict[str, tuple[str, ...]] = {}
        for prefix, name in self.absent:
            found[name] = (*found.get(name, ()), f"{prefix}.")
        return found

    def keras_class(self, dotted: str) -> str | None:
        """Return the last part of a dotted name in Keras ("LSTM" for "tensorflow.keras.layers.LSTM"), else None."""
        if dotted.startswith(self._prefixes):
            return dotted.rsplit(".", 1)[1]
        return None

    def layer(self, class_name: str) -> str:
        """Return the own name of a class of layers that Keras has under several: "Conv1D" for "Convolution1D"."""
        return self.aliases.get(class_name, class_name)

    def recurrent_class(self, dotted: str) -> str | None:
        """Return the recurrent layer class that `dotted` names, else None."""
        name = self.keras_class(dotted)
        return name if name in self.recurrent else None

    def may_be_absent(self, dotted: str) -> bool:
        """Return whether it is a recurrent class that some release does not have."""
        return f"{dotted}.".startswith(self._lacking.get(dotted.rpartition(".")[2], ()))

    def in_no_release(self, dotted: str) -> bool:
        """Return whether it is a class below `keras.layers` that no release has there: `keras.layers.NOPE`."""
        module, _, name = dotted.rpartition(".")
        if not name[:1].isupper() or module not in {f"{root}.layers" for root in self.roots}:
            return False
        named = (self.recurrent, self.cells, self.wrappers, self.exported, self.former)
        known = (*named, self.masks.classes, self.aliases)
        return not self.lasts(dotted) and not any(name in some for some in known)

    def old_module(self, dotted: str) -> tuple[str, Version] | None:
        """Return the package and its first release without what an import of old Keras names, else None."""
        while dotted:
            if dotted in self.old_modules:
                return self.old_modules[dotted]
            dotted = dotted.rpartition(".")[0]
        return None

    def may_be_there(self, dotted: str) -> bool:
        """Return whether it is a name in Keras, and not one that no release has there: `keras.models.LSTM`."""
        name = self.keras_class(dotted)
        return name is not None and (dotted, name) not in self.absent

    def lasts(self, dotted: str) -> bool:
        """Return whether every release has this name."""
        tops = ("keras", "tf_keras", "tensorflow.keras")
        return any(dotted.startswith(f"{top}.") and dotted[len(top) + 1 :] in self.lasting for top in tops)
