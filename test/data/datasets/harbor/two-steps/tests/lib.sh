score() { if [ "$(cat "/work/project/$1" 2>/dev/null)" = "$2" ]; then echo 1; else echo 0; fi; }
