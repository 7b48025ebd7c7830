"""Fills the line of a terminal without reading it, says so, and reads it when asked to."""

import os
import time
import tty

reader, line = os.openpty()
tty.setraw(line)
os.set_blocking(line, False)
try:
    while True:
        os.write(line, b"x" * 1000)
except BlockingIOError:
    open("/tmp/full", "w").close()
while True:
    time.sleep(0.05)
    if os.path.exists("/tmp/read"):
        os.read(reader, 4096)
