#!/bin/bash
cd /app && echo hi > a.txt && (python3 -m http.server 5328 &)
sleep 1
