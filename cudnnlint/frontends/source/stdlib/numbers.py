"""Numbers: math, scalars of numpy, fractions, decimals, statistics."""

from __future__ import annotations

import math
import numbers
import statistics
import struct
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from cudnnlint.frontends.source.python.plain import Computed, pure

_MATH = (
    "acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh degrees dist erf erfc exp expm1 fabs floor fmod "
    "frexp fsum gamma gcd hypot isclose isfinite isinf isnan isqrt lcm lgamma log log10 log1p log2 modf nextafter prod "
    "radians remainder sin sinh sqrt tan tanh trunc ulp cbrt exp2 sumprod"
)
#: Functions whose arguments decide how large the result is.
_GROWING = "comb factorial ldexp perm pow"
_STATISTICS = "mean median mode fmean median_low median_high stdev variance pstdev pvariance"

Number = bool | int | float


def _only_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function for plain numbers only: of a list, numpy makes an array, which is not a plain value."""

    def compute(*given: Any) -> Any:
        if not all(isinstance(one, Number) for one in given):
            raise TypeError("not a number")
        return function(*given)

    return compute


class NumpyInteger(int):
    """A whole number of numpy, which is no `int` of Python; arithmetic keeps it one."""

    stands_for = numbers.Integral


def _kept(name: str) -> Callable[..., Any]:
    plainly = getattr(int, name)

    def compute(*given: Any) -> Any:
        result = plainly(*given)
        return NumpyInteger(result) if type(result) is int else result

    return compute


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "mod", "neg"):
    setattr(NumpyInteger, f"__{_name}__", _kept(f"__{_name}__"))


def _float(code: str) -> Callable[[Any], float]:
    """Return a function like `np.float32`: the nearest number of that width."""

    def convert(value: Any = 0.0) -> float:
        return float(struct.unpack(code, struct.pack(code, float(value)))[0])

    return convert


def _whole(bits: int, signed: bool = True) -> Callable[[Any], int]:
    """Return a function like `np.int8`.

    It raises an error for a number that does not fit; older releases of numpy let such a number wrap around.
    """

    def convert(value: Any = 0) -> int:
        number = int(value)
        low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if signed else (0, 1 << bits)
        if not low <= number < high:
            raise OverflowError(number)
        return NumpyInteger(number)

    return convert


def _flat(value: Any) -> list[Any]:
    """Return the numbers of a number, or of lists inside one another."""
    if isinstance(value, Number):
        return [value]
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        raise TypeError("not numbers")
    return [number for item in value for number in _flat(item)]


def _of_all(function: Callable[[list[Any]], Any]) -> Callable[[Any], Any]:
    """Return a function of numpy that makes one number of an array."""
    return lambda values: function(_flat(values))


def _sum(values: list[Any]) -> Any:
    """Return the sum as numpy adds it up: one by one as long as there are few; more fractions are added otherwise."""
    if len(values) >= 8 and any(isinstance(value, float) for value in values):
        raise ValueError("many fractions")
    return sum(values)


def _mean(values: list[Any]) -> float:
    return float(_sum(values) / len(values))


def _fraction(*given: Any) -> Fraction:
    """Return a fraction; raise ValueError for an exponent, because "1e999999999" would take forever."""
    if any(isinstance(one, str) and "e" in one.lower() for one in given):
        raise ValueError("an exponent")
    return Fraction(*given)


def _sqrt(value: Any) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


_SCALARS: dict[str, Callable[..., Any]] = {
    **{name: getattr(math, name) for name in ("exp", "floor", "ceil", "log", "log2", "log10", "trunc")},
    "sqrt": _sqrt,
    "abs": abs,
    "absolute": abs,
    "round": lambda value, decimals=0: float(round(value, decimals)) if isinstance(value, float) else value,
    "maximum": max,
    "minimum": min,
    "square": lambda value: value * value,
}
#: Functions of numpy that return a floating-point number even for whole ones.
_WITH_FRACTION = ("floor", "ceil", "trunc")
OF_ALL: dict[str, Callable[[list[Any]], Any]] = {
    "prod": math.prod,
    "product": math.prod,
    "sum": _sum,
    "max": max,
    "amax": max,
    "min": min,
    "amin": min,
    "mean": _mean,
    "median": lambda values: float(statistics.median(values)),
    "size": len,
}


def table() -> dict[str, Computed]:
    """Return the functions by their dotted names."""
    found = {f"math.{name}": pure(getattr(math, name)) for name in _MATH.split() if hasattr(math, name)}
    found |= {f"math.{name}": pure(getattr(math, name), grows=True) for name in _GROWING.split()}
    found |= {f"statistics.{name}": pure(getattr(statistics, name)) for name in _STATISTICS.split()}
    for name, function in _SCALARS.items():
        whole = (lambda value, function=function: float(function(value))) if name in _WITH_FRACTION else function
        found[f"numpy.{name}"] = pure(_only_numbers(whole))
    found |= {f"numpy.{name}": pure(_of_all(function)) for name, function in OF_ALL.items()}
    found |= {f"numpy.{name}": pure(_float("<d")) for name in ("float64", "double", "float_")}
    found |= {
        "numpy.float32": pure(_float("<f")),
        "numpy.single": pure(_float("<f")),
        "numpy.float16": pure(_float("<e")),
    }
    found |= {f"numpy.int{bits}": pure(_whole(bits)) for bits in (8, 16, 32, 64)} | {"numpy.intp": pure(_whole(64))}
    found |= {f"numpy.uint{bits}": pure(_whole(bits, signed=False)) for bits in (8, 16, 32, 64)}
    found |= dict.fromkeys(("numpy.bool_", "numpy.bool"), pure(bool))
    return found | {"fractions.Fraction": pure(_fraction), "decimal.Decimal": pure(Decimal)}
