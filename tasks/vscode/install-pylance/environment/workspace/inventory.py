"""What is on the shelves of a small shop."""


def total(stock: dict[str, int]) -> int:
    return sum(stock.values())


def missing(stock: dict[str, int], wanted: list[str]) -> list[str]:
    return [name for name in wanted if stock.get(name, 0) == 0]


if __name__ == "__main__":
    shelves = {"tea": 12, "coffee": 0, "sugar": 7}
    print(total(shelves), missing(shelves, ["tea", "coffee"]))
