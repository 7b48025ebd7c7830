#!/bin/sh
# The folder of the task is the current one.
if grep -q "\"key\": *\"$EXPECTED\"" settings.json; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
