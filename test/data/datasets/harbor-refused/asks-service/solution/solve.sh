#!/bin/bash
cd /app && echo hi > a.txt && (setsid nohup python3 -m http.server 5328 > /tmp/server.log 2>&1 < /dev/null &)
sleep 1
