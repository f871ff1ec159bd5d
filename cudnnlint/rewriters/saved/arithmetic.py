"""The arithmetic: how numbers move when a layer changes. numpy is imported only when numbers do change.

Gates, in the order of the columns: LSTM i, f, c, o; GRU z, r, h. n gates, u units, d inputs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudnnlint.core.errors import Refused

if TYPE_CHECKING:
    from cudnnlint.rewriters.saved.weights import Array, Change

GATES = {"LSTM": 4, "GRU": 3}


def cudnn_kernel(gates: int) -> Change:
    """Kernel (d, n u) of a CuDNN layer to that of LSTM/GRU: per gate k (d, u) becomes `k.ravel().reshape(u, d).T`.

    Not a transposition: the shape stays, the memory order changes (`_convert_rnn_weights` in
    tf_keras 2.21 `hdf5_format.py`: `k.T.reshape(k.shape, order="F")`).
    """

    def step(kernel: Array) -> Array:
        import numpy

        _must(kernel.ndim == 2 and kernel.shape[1] % gates == 0, f"a kernel of shape {kernel.shape}")
        parts = numpy.hsplit(kernel, gates)
        return numpy.hstack([part.ravel().reshape(part.shape[1], part.shape[0]).T for part in parts])

    return step


def cudnn_recurrent_kernel(gates: int) -> Change:
    """Recurrent kernel (u, n u) of a CuDNN layer to that of LSTM/GRU: each gate's (u, u) is transposed."""

    def step(kernel: Array) -> Array:
        import numpy

        _must(kernel.ndim == 2 and kernel.shape[1] == gates * kernel.shape[0], f"a recurrent kernel {kernel.shape}")
        return numpy.hstack([part.T for part in numpy.hsplit(kernel, gates)])

    return step


def cudnn_bias(class_name: str) -> Change:
    """Bias (2 n u,): LSTM adds the two halves to (4u,), GRU(reset_after=True) keeps them as two rows (2, 3u)."""

    def step(bias: Array) -> Array:
        _must(bias.ndim == 1 and bias.size % (2 * GATES[class_name]) == 0, f"a bias of shape {bias.shape}")
        rows = bias.reshape(2, -1)
        return rows if class_name == "GRU" else rows[0] + rows[1]

    return step


def scaled_gates(gates: int, chosen: tuple[int, ...], factor: float) -> Change:
    """Multiply the columns of the `chosen` gates by `factor`, on the last axis of whatever rank."""

    def step(array: Array) -> Array:
        _must(array.ndim > 0 and array.shape[-1] % gates == 0, f"a weight of shape {array.shape}")
        units = array.shape[-1] // gates
        result = array.copy()
        for gate in chosen:
            result[..., gate * units : (gate + 1) * units] *= array.dtype.type(factor)
        return result

    return step


def zero_bias(class_name: str, reset_after: bool) -> Change:
    """Return the step that makes a zero bias of the recurrent kernel.

    The kernel has the shape (u, n u), the bias (n u,), or (2, 3u) for a GRU with reset_after.
    """

    def step(recurrent: Array) -> Array:
        import numpy

        _must(recurrent.ndim == 2, f"a recurrent kernel of shape {recurrent.shape}")
        width = recurrent.shape[1]
        return numpy.zeros((2, width) if class_name == "GRU" and reset_after else (width,), recurrent.dtype)

    return step


def _must(holds: bool, found: str) -> None:
    if not holds:
        raise Refused("", f"holds {found}, which does not fit its class")
