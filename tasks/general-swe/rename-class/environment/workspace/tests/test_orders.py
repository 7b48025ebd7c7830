from shop import Order, OrderBook
from shop.reports import lines
from shop.rush import as_rush


def test_total():
    book = OrderBook()
    book.add(Order(1, 250))
    book.add(Order(2, 100).plus(Order(3, 50)))
    assert book.total() == 400


def test_lines():
    book = OrderBook([Order(1, 250), as_rush(Order(2, 100))])
    assert lines(book) == ["Order,Cents", "RushOrder 2,100", "Order 1,250"]
