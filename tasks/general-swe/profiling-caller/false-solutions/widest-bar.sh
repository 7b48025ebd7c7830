#!/bin/bash
# The caller of the widest single bar of the function, which calls it in one place alone.
echo '{{runner_up}}' > /workspace/answer.txt
