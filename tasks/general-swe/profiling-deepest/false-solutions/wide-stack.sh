#!/bin/bash
# The deepest stack that is wide enough to be seen at first sight is not the deepest one.
echo '{{runner_up}}' > /workspace/answer.txt
