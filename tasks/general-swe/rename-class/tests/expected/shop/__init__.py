from shop.orders import PurchaseOrder, OrderBook
