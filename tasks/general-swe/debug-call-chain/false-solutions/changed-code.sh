#!/bin/bash
# The answer is right, but the code was changed to find it.
printf '%s\n' 'method: {{method}}' 'called by: {{caller}}' > /workspace/answer.txt
sed -i '1a import traceback' /workspace/ledger/rules.py
