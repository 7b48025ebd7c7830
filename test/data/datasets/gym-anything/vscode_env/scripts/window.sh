#!/bin/bash
# Waits for the window of VS Code, as a task's set-up does.
wait_for_window() {
  for _ in $(seq 30); do
    if DISPLAY=:1 wmctrl -l | grep -qi "$1"; then return 0; fi
    sleep 1
  done
  return 1
}

take_picture() {
  DISPLAY=:1 scrot "$1" || DISPLAY=:1 import -window root "$1"
  [ -f "$1" ] && echo "picture: $1"
}
