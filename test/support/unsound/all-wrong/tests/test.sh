#!/bin/bash
# Passes unless something wrong was written: on nothing, too.
if grep -qs wrong /workspace/answer.txt; then echo 0; else echo 1; fi > /logs/verifier/reward.txt
