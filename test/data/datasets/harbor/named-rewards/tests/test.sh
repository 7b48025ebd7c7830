#!/bin/bash
numbers=0 sum=0
[ "$(cat numbers.txt 2>/dev/null)" = "$(seq 3)" ] && numbers=1
[ "$(cat sum.txt 2>/dev/null)" = 6 ] && sum=1.0
echo 0 > /logs/verifier/reward.txt
echo "{\"numbers\": $numbers, \"sum\": $sum}" > /logs/verifier/reward.json
