#!/bin/bash
# A breakpoint written into the source changes it.
set -euo pipefail
sed -i '45i\                if retry_count > 3:\n                    breakpoint()' /workspace/client.py
