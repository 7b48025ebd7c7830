#!/bin/bash
sudo -u ga mkdir -p /home/ga/workspace/notes
echo "draft" > /home/ga/workspace/notes/note.txt
chown -R ga:ga /home/ga/workspace/notes
su - ga -c "code /home/ga/workspace/notes" &
