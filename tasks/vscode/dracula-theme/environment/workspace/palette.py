"""Names of colours, to look at."""

COLOURS = {
    "night": (40, 42, 54),
    "paper": (248, 248, 242),
    "leaf": (80, 250, 123),
}


def mix(first: str, second: str) -> tuple[int, ...]:
    """The colour halfway between two others."""
    return tuple((a + b) // 2 for a, b in zip(COLOURS[first], COLOURS[second]))
