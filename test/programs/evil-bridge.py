"""Bridges that attack their clients. They follow the protocol up to the attack that they are named after.

    evil-bridge.py <folder> <mode>...      listens on <folder>/<mode> for each of them; prints a line when it does
    evil-bridge.py --at <socket> <mode>    the same on one path
"""

import base64
import hashlib
import json
import os
import socket
import struct
import sys
import threading
import time

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, PING = 1, 2, 9
MESSAGE = 32 * 1024 * 1024


def frame(data, opcode=TEXT, fin=True):
    head = bytes([(0x80 if fin else 0) | opcode])
    if len(data) < 126:
        head += bytes([len(data)])
    elif len(data) < 65536:
        head += bytes([126]) + struct.pack(">H", len(data))
    else:
        head += bytes([127]) + struct.pack(">Q", len(data))
    return head + data


class Client:
    def __init__(self, connection, mode):
        self.socket, self.mode, self.pending = connection, mode, b""

    def read(self, count):
        while len(self.pending) < count:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError
            self.pending += data
        taken, self.pending = self.pending[:count], self.pending[count:]
        return taken

    def flood(self, data):
        block = data * max(1, 65536 // len(data))
        while True:
            self.socket.sendall(block)

    def message(self):
        first, second = self.read(2)
        length = second & 0x7F
        if length == 126:
            length = struct.unpack(">H", self.read(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self.read(8))[0]
        if second & 0x80:
            self.read(4)  # a mask of zeros
        data = self.read(length)
        return json.loads(data) if first & 0x0F == TEXT else None

    def send(self, value):
        self.socket.sendall(frame(value if isinstance(value, bytes) else json.dumps(value).encode()))

    def result(self, asked, result):
        self.send({"jsonrpc": "2.0", "id": asked["id"], "result": result})

    def upgrade(self):
        mode = self.mode
        if mode == "silent":
            time.sleep(3600)
        if mode == "hangs-up":
            raise EOFError
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.read(1)
        if mode == "no-websocket":
            self.socket.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n")
            self.flood(b"a")
        if mode == "endless-headers":
            self.socket.sendall(b"HTTP/1.1 101 Switching Protocols\r\n")
            self.flood(b"X-More: " + b"a" * 1000 + b"\r\n")
        if mode == "endless-continues":
            self.flood(b"HTTP/1.1 100 Continue\r\n\r\n")
        key = next(line.split(b":")[1].strip() for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
        accept = base64.b64encode(hashlib.sha1(key + MAGIC).digest())
        if mode == "wrong-key":
            accept = b"a" * 28
        self.socket.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")

    def serve(self):
        self.upgrade()
        self.before_hello()
        asked = self.message()
        self.instead_of_hello(asked)
        self.result(asked, {"protocol": asked["params"]["protocol"], "server": "bridge", "version": "0"})
        self.after_hello()
        while True:
            asked = self.message()
            if asked is None or "id" not in asked:
                continue
            self.answer(asked)

    def before_hello(self):
        mode = self.mode
        if mode == "speaks-first":
            self.flood(frame(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}}).encode()))
        if mode == "oversize":
            self.socket.sendall(frame(b"a" * (MESSAGE + 1)))
        if mode == "endless-pieces":
            self.socket.sendall(frame(b"a", TEXT, fin=False))
            self.flood(frame(b"a", 0, fin=False))
        if mode == "empty-pieces":
            self.socket.sendall(frame(b"", TEXT, fin=False))
            self.flood(frame(b"", 0, fin=False))
        if mode == "pings":
            self.flood(frame(b"a" * 100, PING))
        if mode == "drips":
            for byte in frame(b"a" * 1000):
                self.socket.sendall(bytes([byte]))
                time.sleep(1)

    def instead_of_hello(self, asked):
        mode = self.mode
        number = asked["id"]
        if mode == "no-greeting":
            time.sleep(3600)
        if mode == "small-objects":
            self.send(b'{"jsonrpc":"2.0","id":%d,"result":[%s{}]}' % (number, b"{}," * (MESSAGE // 4)))
        if mode == "small-arrays":
            self.send(b'{"jsonrpc":"2.0","id":%d,"result":[%s[]]}' % (number, b"[]," * (MESSAGE // 4)))
        if mode == "many-keys":
            keys = b",".join(b'"%x":0' % i for i in range(MESSAGE // 12))
            self.send(b'{"jsonrpc":"2.0","id":%d,"result":{%s}}' % (number, keys))
        if mode == "deep":
            half = MESSAGE // 2 - 100
            self.send(b'{"jsonrpc":"2.0","id":%d,"result":%s%s}' % (number, b"[" * half, b"]" * half))
        if mode == "wrong-result":
            self.result(asked, [1] * 1_000_000)
        if mode == "nonsense":
            self.flood(frame(b"}{"))
        if mode == "long-error":
            self.send({"jsonrpc": "2.0", "id": number, "error": {"code": -32603, "message": "x" * 30_000_000}})

    def after_hello(self):
        mode = self.mode
        if mode == "streams":
            for number in range(1, 10_000):
                self.socket.sendall(frame(struct.pack(">BBII", 0, 1, number, 1024), BINARY))
        if mode == "stream-data":
            self.flood(frame(struct.pack(">BBI", 1, 0, 1) + b"x" * 60_000, BINARY))
        if mode == "requests":
            for number in range(1, 1_000_000):
                self.send({"jsonrpc": "2.0", "id": number, "method": "node.stop", "params": {}})
        if mode == "events":
            self.flood(frame(json.dumps({"jsonrpc": "2.0", "method": "desktop.changed", "params": {
                "name": "xvfb", "state": "ready", "restarts": 0}}).encode()))
        if mode == "long-events":
            self.flood(frame(json.dumps({"jsonrpc": "2.0", "method": "x", "params": "x" * 1_000_000}).encode()))
        if mode == "unasked-answers":
            self.flood(frame(json.dumps({"jsonrpc": "2.0", "id": 4711, "result": {}}).encode()))
        if mode == "hangs-up-later":
            raise EOFError

    def answer(self, asked):
        if self.mode == "never-answers":
            return
        if self.mode == "many-results":
            self.result(asked, {"services": [{"name": 1}] * 100_000})
        else:
            self.result(asked, {"services": []})


def accepted(connection, mode):
    try:
        Client(connection, mode).serve()
    except (OSError, EOFError, ValueError, KeyError, StopIteration):
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
