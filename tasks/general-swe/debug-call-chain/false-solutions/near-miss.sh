#!/bin/bash
# What reading the code suggests for the rule, and what happens to another entry.
printf '%s\n' 'method: Waiver.waive' 'called by: Waiver.overflow' > /workspace/answer.txt
