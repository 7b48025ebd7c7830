#!/bin/bash
set -euo pipefail
cd /workspace
sed -i -e 's/^class random:/class SeededSource:/' -e 's/-> random:/-> SeededSource:/' -e 's/return random(7)/return SeededSource(7)/' sim/sources.py
sed -i 's/sources\.random\b/sources.SeededSource/g' sim/walk.py
sed -i 's/import random as/import SeededSource as/' sim/report.py tests/test_sim.py
python3 -m pytest -q -p no:cacheprovider
