#!/bin/bash
# A server without a port: pipes need no further program. Others are asked as localhost:8080 is.
echo "this is for localhost:8080" > /srv/asked
for ((tries = 0; tries < 50; tries++)); do
  if [ "$(cat /srv/answered 2> /dev/null)" = "got this is for localhost:8080" ]; then
    echo 1 > /logs/verifier/reward.txt
    exit
  fi
  sleep 0.1
done
echo 0 > /logs/verifier/reward.txt
