#!/bin/bash
# By a program that this reader does not know to ask a server.
python3 - <<'P' && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt
import http.client
host, port = "127.1", 5328
connection = http.client.HTTPConnection(host, port, timeout=5)
connection.request("GET", "/a.txt")
assert b"hi" in connection.getresponse().read()
P
