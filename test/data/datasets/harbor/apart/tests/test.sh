#!/bin/bash
# In the image of the tests, with the artifacts alone.
reward=0
if [ "$(cat /srv/work/answer.txt)" = "$(cat expected.txt)" ] && [ "$MODE$GREETING" = judge ] &&
  [ ! -e /srv/work/sorted.txt ] && [ "$(cat /srv/notes/made/note.txt)" = noted ]; then reward=1; fi
echo "$reward" > /logs/verifier/reward.txt
