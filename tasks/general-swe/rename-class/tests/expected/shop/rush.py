from shop.orders import PurchaseOrder


class RushOrder(PurchaseOrder):
    """An Order that can't wait: see Order and OrderBook."""

    def label(self) -> str:
        return "Rush" + super().label()


def as_rush(order: PurchaseOrder) -> RushOrder:
    return RushOrder(order.number, order.cents)
