#!/bin/bash
# The names stay and the values are swapped.
cd /workspace && sed -i -E 's/Frame\(([0-9]+), ([0-9]+)\)/Frame(\2, \1)/g' tests/test_layout.py
