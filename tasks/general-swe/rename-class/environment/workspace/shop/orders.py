"""An Order is what a customer asks for; an OrderBook holds them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Order:
    """One Order: a number and what it costs."""

    number: int
    cents: int
    prefix = "Order"

    def label(self) -> str:
        return f"{Order.prefix} {self.number}"

    def plus(self, other: Order) -> Order:
        # The first Order gives its number.
        return Order(self.number, self.cents + other.cents)


@dataclass
class OrderBook:
    """Every Order of one day."""

    orders: list[Order] = field(default_factory=list)

    def add(self, order: Order) -> None:
        if not isinstance(order, Order):
            raise TypeError("expected an Order")
        self.orders.append(order)

    def total(self) -> int:
        return sum(order.cents for order in self.orders)
