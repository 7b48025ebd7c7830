import random

from sim import sources


def walk(steps: int, source: sources.SeededSource) -> list[int]:
    """A random walk from 0."""
    places = [0]
    for _ in range(steps):
        places.append(places[-1] + (1 if source.random() < 0.5 else -1))
    return places


def shuffled(names: list[str]) -> list[str]:
    copy = list(names)
    random.Random(3).shuffle(copy)
    random.seed(11)
    return [*copy, f"random {random.random():.1f}"]


def again(source: sources.SeededSource) -> bool:
    first = source.random()
    source.rewind()
    return isinstance(source, sources.SeededSource) and source.random() == first
