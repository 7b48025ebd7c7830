#!/bin/bash
sudo -u ga mkdir -p /home/ga/workspace/notes
echo "draft" > /home/ga/workspace/notes/note.txt
chown -R ga:ga /home/ga/workspace/notes
su - ga -c "code /home/ga/workspace/notes" &
sudo -u ga python3 -c 'import time; time.sleep(600)' > /tmp/server.log 2>&1 &
