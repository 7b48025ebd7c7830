#!/bin/bash
# A guess.
echo '50' > /workspace/answer.txt
