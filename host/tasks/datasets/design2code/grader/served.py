"""A folder on a port of this sandbox: the policy of its browser refuses files."""

import functools
import http.server
import threading


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_words):
        """Standard error is for what went wrong."""


class Served:
    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        """The address, without a slash at its end."""
        serve = functools.partial(Quiet, directory=self.folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *_error):
        self.server.shutdown()
        self.server.server_close()
