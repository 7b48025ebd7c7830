#!/bin/bash
# The answer is right, but the code was changed to find it.
printf '%s\n' 'method: Cap.overflow' 'called by: Waiver.overflow' > /workspace/answer.txt
sed -i '1a import traceback' /workspace/ledger/rules.py
