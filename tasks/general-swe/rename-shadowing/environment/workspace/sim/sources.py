"""Where chance comes from: random of the standard library, or a source that can be wound back."""

import random as standard


class random:
    """A random source with a seed: the same seed, the same random numbers."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rewind()

    def rewind(self) -> None:
        self._numbers = standard.Random(self.seed)

    def random(self) -> float:
        """Named as in the standard library."""
        return self._numbers.random()

    def below(self, limit: int) -> int:
        return int(self.random() * limit)


def default() -> random:
    # random numbers of a test are the same every day
    return random(7)
