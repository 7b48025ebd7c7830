. /tests/lib.sh
score end.txt ended > /logs/verifier/reward.txt
