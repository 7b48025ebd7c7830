from shop.orders import Order, OrderBook
