from shop.orders import Order


class RushOrder(Order):
    """An Order that can't wait: see Order and OrderBook."""

    def label(self) -> str:
        return "Rush" + super().label()


def as_rush(order: Order) -> RushOrder:
    return RushOrder(order.number, order.cents)
