if [ "$(cat "$WANTED.txt")" = 3 ]; then echo '{"reward": 1}'; else echo '{"reward": 0}'; fi > /logs/verifier/reward.json
