#!/bin/bash
mkdir -p /logs/verifier
python3 -c "import urllib.request as u; assert b'hi' in u.urlopen('http://127.0.0.1:5328/a.txt').read()" && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt
