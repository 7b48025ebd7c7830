"""Rules that change the amount of an entry. Which one does depends on the entry."""

from __future__ import annotations

from functools import reduce


class Rule:
    order = 0

    def apply(self, entry: dict) -> dict:
        return self.settle(entry)

    def settle(self, entry: dict) -> dict:
        return entry


class Rounding:
    def settle(self, entry: dict) -> dict:
        return {**entry, "cents": round(entry["cents"], -1)}


class Discount:
    rate = 5

    def settle(self, entry: dict) -> dict:
        cut = entry["cents"] * self.rate // 100
        return super().settle({**entry, "cents": entry["cents"] - cut})


class Fee:
    def settle(self, entry: dict) -> dict:
        return super().settle({**entry, "cents": entry["cents"] + 15})


class Cap:
    limit = 9000

    def settle(self, entry: dict) -> dict:
        if entry["cents"] <= self.limit:
            return super().settle(entry)
        return self.overflow(entry)

    def overflow(self, entry: dict) -> dict:
        return {**entry, "cents": self.limit}


class Waiver(Cap):
    def overflow(self, entry: dict) -> dict:
        return self.waive(entry) if sum(entry["id"].encode()) % 3 else super().overflow(entry)

    def waive(self, entry: dict) -> dict:
        return {**entry, "cents": entry["cents"] // 2}


KINDS = [
    type("Plain", (Rounding, Rule), {}),
    type("Member", (Discount, Fee, Rounding, Rule), {"rate": 10}),
    type("Bulk", (Fee, Waiver, Discount, Rule), {"limit": 7000}),
    type("Partner", (Discount, Cap, Rounding, Rule), {}),
    type("Legacy", (Fee, Discount, Waiver, Rule), {"limit": 12000}),
]


def rule_for(entry: dict) -> Rule:
    mark = reduce(lambda sum, byte: (sum * 31 + byte) % 1009, entry["id"].encode(), 7)
    return KINDS[mark % len(KINDS)]()
