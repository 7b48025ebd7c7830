#!/bin/bash
# Names several, so that one of them must be right.
printf '%s\n' 'method: {{method}}' 'method: {{near_method}}' 'called by: {{caller}}' 'called by: {{near_caller}}' > /workspace/answer.txt
