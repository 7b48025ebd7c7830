#!/bin/bash
# Every word is replaced, those in comments and strings too.
cd /workspace && sed -i 's/\bOrder\b/PurchaseOrder/g' shop/*.py tests/*.py
