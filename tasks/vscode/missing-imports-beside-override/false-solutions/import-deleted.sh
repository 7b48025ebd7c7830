#!/bin/bash
# The import is gone from the code, and is reported as before.
set -euo pipefail
sed -i /colourful_tables/d /workspace/report.py
