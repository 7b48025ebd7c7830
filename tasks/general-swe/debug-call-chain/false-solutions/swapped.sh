#!/bin/bash
# Caller and called are the wrong way round.
printf '%s\n' 'method: {{caller}}' 'called by: {{method}}' > /workspace/answer.txt
