from shop import PurchaseOrder, OrderBook
from shop.reports import lines
from shop.rush import as_rush


def test_total():
    book = OrderBook()
    book.add(PurchaseOrder(1, 250))
    book.add(PurchaseOrder(2, 100).plus(PurchaseOrder(3, 50)))
    assert book.total() == 400


def test_lines():
    book = OrderBook([PurchaseOrder(1, 250), as_rush(PurchaseOrder(2, 100))])
    assert lines(book) == ["Order,Cents", "RushOrder 2,100", "Order 1,250"]
