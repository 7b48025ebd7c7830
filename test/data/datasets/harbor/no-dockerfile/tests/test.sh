grep -qx hello hello.txt 2>/dev/null && echo 1.0 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt
exit 3
