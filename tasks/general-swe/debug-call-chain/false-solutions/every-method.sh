#!/bin/bash
# Names several, so that one of them must be right.
printf '%s\n' 'method: Cap.overflow' 'method: Waiver.waive' 'called by: Waiver.overflow' 'called by: Cap.settle' > /workspace/answer.txt
