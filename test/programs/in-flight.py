"""A child sends its parent an open file, which the parent receives and reads when asked to."""

import os
import socket
import time

parent, child = socket.socketpair()
if os.fork() == 0:
    file = os.memfd_create("message")
    os.write(file, b"hello")
    socket.send_fds(child, [b"x"], [file])
    open("/tmp/sent", "w").close()
    time.sleep(3600)
while not os.path.exists("/tmp/receive"):
    time.sleep(0.05)
_, [file], _, _ = socket.recv_fds(parent, 1, 1)
with open("/tmp/received.part", "wb") as received:
    received.write(os.pread(file, 100, 0))
os.rename("/tmp/received.part", "/tmp/received")
time.sleep(3600)
