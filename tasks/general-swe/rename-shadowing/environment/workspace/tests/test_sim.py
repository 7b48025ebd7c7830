import random

from sim.report import line
from sim.sources import default
from sim.sources import random as seeded
from sim.walk import again, shuffled, walk


def test_walk_is_the_same_for_the_same_seed():
    assert walk(20, seeded(5)) == walk(20, seeded(5))
    assert again(default())


def test_shuffled():
    assert shuffled(["a", "b", "c"])[-1] == f"random {random.Random(11).random():.1f}"


def test_line():
    assert line("random", 5).startswith("random: [0, ")
