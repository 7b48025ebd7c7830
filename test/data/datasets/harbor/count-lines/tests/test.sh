#!/bin/bash
if [ "$(cat /app/count.txt)" = 3 ] && [ "$(cat notes/first.txt)" = "read me" ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
