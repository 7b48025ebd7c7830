#!/bin/bash
# The shapes are the wrong way round.
printf '%s\n' 'x: {{turned_x}}' 'table: {{turned_table}}' 'dimension of x: 2' 'dimension of table: 0' > /workspace/answer.txt
