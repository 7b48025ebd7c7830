#!/bin/bash
# The rate is that of the staged version, the dishes are not.
sed -i 's/^RATE = .*/RATE = {{rate}}/' /workspace/menu.py
