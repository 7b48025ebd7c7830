#!/bin/bash
# One of the uses by the module's name is left.
cd /workspace
sed -i -e 's/^class random:/class SeededSource:/' -e 's/-> random:/-> SeededSource:/' -e 's/return random(7)/return SeededSource(7)/' sim/sources.py
sed -i '0,/sources\.random/s//sources.SeededSource/' sim/walk.py
sed -i 's/import random as/import SeededSource as/' sim/report.py tests/test_sim.py
