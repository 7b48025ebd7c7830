#!/bin/bash
# The entry point has the largest total time, and hardly any of its own.
echo 'serve' > /workspace/answer.txt
