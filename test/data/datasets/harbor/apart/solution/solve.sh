#!/bin/bash
[ "$GREETING" = hello ] && head -n 1 sorted.txt > answer.txt
mkdir -p /srv/notes/made && echo noted > /srv/notes/made/note.txt
