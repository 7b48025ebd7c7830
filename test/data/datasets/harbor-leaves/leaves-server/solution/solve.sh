#!/bin/bash
echo "sleep 1000" > /app/wait.sh
bash /app/wait.sh > /dev/null 2>&1 &
sleep 1
