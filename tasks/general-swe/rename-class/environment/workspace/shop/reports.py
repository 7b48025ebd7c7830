import shop.orders
from shop import OrderBook
from shop.rush import RushOrder

HEADING = "Order,Cents"


def lines(book: OrderBook) -> list[str]:
    """One line for each Order, rush orders first."""
    kinds = {RushOrder: 0, shop.orders.Order: 1}
    ordered = sorted(book.orders, key=lambda order: kinds[type(order)])
    return [HEADING, *(f"{order.label()},{order.cents}" for order in ordered)]
