#!/bin/bash
# The class is renamed in its own file alone: modules that import it break.
cd /workspace && sed -i -e 's/^class Order:/class PurchaseOrder:/' -e 's/: Order\b/: PurchaseOrder/g' -e 's/-> Order\b/-> PurchaseOrder/' -e 's/\[Order\]/[PurchaseOrder]/' -e 's/, Order)/, PurchaseOrder)/' -e 's/return Order(/return PurchaseOrder(/' -e 's/{Order\./{PurchaseOrder./' shop/orders.py
