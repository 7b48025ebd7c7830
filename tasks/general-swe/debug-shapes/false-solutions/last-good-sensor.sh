#!/bin/bash
# The shapes of a sensor that does not fail.
printf '%s\n' 'x: (3, 22, 6)' 'table: (6, 6)' 'dimension of x: 2' 'dimension of table: 0' > /workspace/answer.txt
