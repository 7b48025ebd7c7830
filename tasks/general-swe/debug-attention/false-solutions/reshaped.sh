#!/bin/bash
# The shape fits, but the numbers are mixed up.
cd /workspace && sed -i 's/k.transpose(2, 1, 0)/k.reshape(self.heads, self.size, -1)/' vendor/tinynn/attention.py
