#!/bin/bash
# The rule that reading the code suggests, and the outcome of another entry.
printf '%s\n' 'method: {{near_method}}' 'called by: {{near_caller}}' > /workspace/answer.txt
