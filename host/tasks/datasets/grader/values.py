"""Plain values as JSON and back, for what crosses between the tests and the sandbox in which the agent's code runs.

What is not plain data becomes `Other`, which equals nothing: an object of the agent's can't take part in a comparison.
"""

import sys

sys.set_int_max_str_digits(0)


class Other:
    """Something of the agent's that is not plain data. Equals nothing, itself included."""

    def __init__(self, kind):
        self.kind = kind

    def __eq__(self, other):
        return False

    __hash__ = object.__hash__

    def __repr__(self):
        return f"<{self.kind}>"


class Truth:
    """A truth value of NumPy's: it equals True or False, and is neither."""

    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return self.value

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, Truth) else other)

    def __hash__(self):
        return hash(self.value)


class Whole(int):
    """A whole number of NumPy's: no number of Python's is the same object."""


def numpy_scalar(value):
    """The number of Python's that a number or truth value of NumPy's equals; None for all else."""
    numpy = sys.modules.get("numpy")
    kinds = tuple(getattr(numpy, name, ()) for name in ("bool_", "integer", "floating", "complexfloating"))
    plain = value.item() if isinstance(value, kinds) else None
    return plain if isinstance(plain, (bool, int, float, complex)) else None


def packed(value):
    """As JSON's own kinds; a list with a word first where JSON has no kind of its own."""
    scalar = numpy_scalar(value)
    if scalar is not None:
        return ["numpy", packed(scalar)] if isinstance(scalar, int) else packed(scalar)
    if value is None or value is True or value is False:
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (bytes, bytearray)):
        return ["bytes", bytes(value).hex()]
    if isinstance(value, complex):
        return ["complex", value.real, value.imag]
    for word, kind in (("list", list), ("tuple", tuple), ("set", set), ("frozenset", frozenset)):
        if isinstance(value, kind):
            return [word, *map(packed, kind.__iter__(value))]
    if isinstance(value, dict):
        return ["dict", *([packed(key), packed(one)] for key, one in dict.items(value))]
    return ["other", type(value).__name__[:100]]


KINDS = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


def unpacked(value):
    """Raises ValueError or TypeError for what `packed` doesn't make."""
    if not isinstance(value, list):
        if isinstance(value, dict):
            raise ValueError("an object is not a value")
        return value
    word, *rest = value
    if word in KINDS:
        return KINDS[word](map(unpacked, rest))
    if word == "dict":
        return {unpacked(key): unpacked(one) for key, one in rest}
    if word == "bytes":
        return bytes.fromhex(rest[0])
    if word == "complex":
        return complex(*rest)
    if word == "numpy":
        return Truth(rest[0]) if isinstance(rest[0], bool) else Whole(rest[0])
    if word == "other":
        return Other(str(rest[0]))
    raise ValueError(f"{word} is not a kind of value")
