#!/bin/bash
# Convert Indentation to Tabs brings back the tabs and nothing else.
sed -i -E ':a; s/^(\t*)    /\1\t/; ta' /workspace/report.py
