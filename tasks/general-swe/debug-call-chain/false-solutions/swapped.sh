#!/bin/bash
# Caller and called are the wrong way round.
printf '%s\n' 'method: Waiver.overflow' 'called by: Cap.overflow' > /workspace/answer.txt
