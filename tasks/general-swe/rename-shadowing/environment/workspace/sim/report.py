from random import random

from sim.sources import random as Source
from sim.walk import walk

KINDS = {"random": Source}


def line(kind: str, seed: int) -> str:
    chance = random()
    assert 0 <= chance < 1
    return f"{kind}: {walk(4, KINDS[kind](seed))}"
