#!/bin/bash
cp /home/ga/workspace/notes/note.txt /tmp/note.txt
