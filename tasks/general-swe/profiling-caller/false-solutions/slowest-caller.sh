#!/bin/bash
# The caller that takes most time by itself.
echo '{{slow}}' > /workspace/answer.txt
