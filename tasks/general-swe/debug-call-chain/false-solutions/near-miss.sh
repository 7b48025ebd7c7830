#!/bin/bash
# What reading the code suggests for the rule, and what happens to another entry.
printf '%s\n' 'method: {{near_method}}' 'called by: {{near_caller}}' > /workspace/answer.txt
