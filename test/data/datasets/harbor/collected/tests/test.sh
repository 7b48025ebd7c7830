# The home is that of the image, and what was collected is there.
reward=0
if [ "$(cat /root/.config/shop.conf)" = sorted ] && [ "$UNIT" = piece ] &&
  [ "$(cat /logs/artifacts/lines.txt)" = 3 ] && [ ! -e /tests/notes.md ]; then reward=1; fi
echo "$reward" > /logs/verifier/reward.txt
