#!/bin/bash
[ "$(cat said.txt)" = "$READY" ] && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt
