"""Primes by trial division, slow enough to be worth a profile."""


def is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, number))


def primes(limit: int) -> list[int]:
    return [number for number in range(limit) if is_prime(number)]


if __name__ == "__main__":
    print(len(primes(5000)))
