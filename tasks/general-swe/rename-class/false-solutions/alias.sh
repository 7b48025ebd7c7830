#!/bin/bash
# The class has a second name, and all uses keep the old one.
cd /workspace && printf '\n\nPurchaseOrder = Order\n' >> shop/orders.py
