"""An Order is what a customer asks for; an OrderBook holds them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class PurchaseOrder:
    """One Order: a number and what it costs."""

    number: int
    cents: int
    prefix = "Order"

    def label(self) -> str:
        return f"{PurchaseOrder.prefix} {self.number}"

    def plus(self, other: PurchaseOrder) -> PurchaseOrder:
        # The first Order gives its number.
        return PurchaseOrder(self.number, self.cents + other.cents)


@dataclass
class OrderBook:
    """Every Order of one day."""

    orders: list[PurchaseOrder] = field(default_factory=list)

    def add(self, order: PurchaseOrder) -> None:
        if not isinstance(order, PurchaseOrder):
            raise TypeError("expected an Order")
        self.orders.append(order)

    def total(self) -> int:
        return sum(order.cents for order in self.orders)
