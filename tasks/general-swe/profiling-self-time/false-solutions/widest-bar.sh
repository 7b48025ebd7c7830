#!/bin/bash
# The widest bar without anything below belongs to a function that is slower there alone, not over all of its calls.
echo '{{runner_up}}' > /workspace/answer.txt
