"""A till: adds up what was bought."""

PRICES = {"apple": 30, "bread": 210, "milk": 95}


def price_of(name):
    return PRICES[name]


def total(names):
    result = 0
    for name in names:
        result += price_of(name)
    return result


if __name__ == "__main__":
    print(total(["apple", "bread", "milk"]))
