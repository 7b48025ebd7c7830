#!/bin/bash
# By a loop that this reader does not know to look for a process.
reward=0
for path in /proc/[0-9]*/cmdline; do
  mapfile -d '' words < "$path"
  if [ "${words[1]}" = /app/wait.sh ]; then reward=1; fi
done 2> /dev/null
echo "$reward" > /logs/verifier/reward.txt
