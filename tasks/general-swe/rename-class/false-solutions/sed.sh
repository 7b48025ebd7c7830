#!/bin/bash
# Every occurrence of the letters is replaced: other classes, comments and strings too.
cd /workspace && sed -i 's/Order/PurchaseOrder/g' shop/*.py tests/*.py
