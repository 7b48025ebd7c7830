"""Asks a service again until it answers."""

import random
import time
from dataclasses import dataclass, field

BASE_DELAY = 0.05
MAX_DELAY = 2.0


class ServiceError(Exception):
    """The service answered with a failure."""


@dataclass
class Outcome:
    """What came of one request."""

    value: str | None = None
    attempts: int = 0
    delays: list[float] = field(default_factory=list)


def backoff(retry_count: int) -> float:
    """Seconds to wait before the next attempt."""
    return min(MAX_DELAY, BASE_DELAY * 2**retry_count)


class Client:
    """Talks to one service."""

    def __init__(self, ask, limit: int = 6):
        self._ask = ask
        self._limit = limit

    def request(self, name: str) -> Outcome:
        outcome = Outcome()
        for retry_count in range(self._limit):
            outcome.attempts += 1
            try:
                outcome.value = self._ask(name)
                return outcome
            except ServiceError:
                delay = backoff(retry_count)
                outcome.delays.append(delay)
                time.sleep(delay)
        raise ServiceError(f"{name}: no answer after {outcome.attempts} attempts")


def unreliable(chance: float):
    """A service that fails now and then."""

    def ask(name: str) -> str:
        if random.random() < chance:
            raise ServiceError(name)
        return f"hello {name}"

    return ask


if __name__ == "__main__":
    client = Client(unreliable(0.8))
    print(client.request("Ada"))
