#!/bin/bash
grep -qx start start.txt && grep -qx end end.txt && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt
