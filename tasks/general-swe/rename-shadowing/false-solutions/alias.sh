#!/bin/bash
# The class has a second name, and the old one is still there.
cd /workspace && printf '\n\nSeededSource = random\n' >> sim/sources.py
