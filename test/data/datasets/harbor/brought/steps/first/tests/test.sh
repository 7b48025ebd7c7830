if [ "$(cat first.txt)" = 1 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
