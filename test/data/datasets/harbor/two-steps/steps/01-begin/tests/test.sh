. /tests/lib.sh
score begin.txt begun > /logs/verifier/reward.txt
