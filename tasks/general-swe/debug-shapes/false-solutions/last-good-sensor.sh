#!/bin/bash
# The shapes of a sensor that does not fail.
printf '%s\n' 'x: {{good_x}}' 'table: {{good_table}}' 'dimension of x: 2' 'dimension of table: 0' > /workspace/answer.txt
