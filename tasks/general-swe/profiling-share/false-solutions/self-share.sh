#!/bin/bash
# The share of samples with the function on top alone.
echo '{{self}}' > /workspace/answer.txt
