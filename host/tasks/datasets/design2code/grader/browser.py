"""A Chromium without a window, driven over a pair of pipes: no port that a page could reach."""

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

VIEW = {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False}
# Seconds for a page to load, and for each answer of the browser.
PATIENCE = 30
# Pixels of a side. Chromium draws no larger picture.
MOST_PIXELS = 16_384
SHELL = 'in=$1 out=$2; shift 2; exec "$@" 3<&"$in" 4>&"$out"'
FLAGS = [
    "--headless=new",
    # The sandbox around it is the wall; its own needs privileges that are not given.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-proxy-server",
    "--hide-scrollbars",
    "--mute-audio",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--remote-debugging-pipe",
]
# A picture counts once the next one is the same; a page that never rests is taken as it is then.
MOST_PICTURES = 5
# In a world of its own: the page's scripts can't replace what it calls.
AT_REST = """(async () => {
    const drawn = new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.race([Promise.all([document.fonts.ready, drawn]), new Promise((done) => setTimeout(done, 5000))]);
    for (const one of document.getAnimations()) {
        try { one.finish(); } catch { one.cancel(); }
    }
    const both = [document.documentElement, document.body].filter(Boolean);
    const most = (name) => Math.max(...both.flatMap((one) => [one[`scroll${name}`], one[`offset${name}`], one[`client${name}`]]));
    return { width: most('Width'), height: most('Height') };
})()"""


class CannotDraw(Exception):
    """Why there is no picture of a page."""


class Browser:
    def __enter__(self):
        (theirs, self.send), (self.receive, answers) = high_pipe(), high_pipe()
        self.profile = tempfile.mkdtemp(prefix="browser-")
        program = ["chromium", *FLAGS, f"--user-data-dir={self.profile}", "about:blank"]
        argv = ["/bin/bash", "-c", SHELL, "bash", str(theirs), str(answers), *program]
        env = {**os.environ, "HOME": "/tmp"}
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(argv, env=env, pass_fds=(theirs, answers), start_new_session=True, **quiet)
        os.close(theirs)
        os.close(answers)
        self.number, self.rest, self.events = 0, b"", []
        return self

    def __exit__(self, *_error):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def shot(self, url):
        """A PNG of the whole page as it is once it is at rest. Raises CannotDraw."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", {"url": "about:blank", "browserContextId": context})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        try:
            return self.draw(session, url)
        finally:
            self.call("Target.disposeBrowserContext", {"browserContextId": context})

    def draw(self, session, url):
        self.call("Page.enable", {}, session)
        self.call("Emulation.setDeviceMetricsOverride", VIEW, session)
        self.events.clear()
        refused = self.call("Page.navigate", {"url": url}, session).get("errorText")
        if refused:
            raise CannotDraw(f"the browser does not open it: {refused}")
        self.loaded(session)
        frame = self.call("Page.getFrameTree", {}, session)["frameTree"]["frame"]["id"]
        world = self.call("Page.createIsolatedWorld", {"frameId": frame}, session)["executionContextId"]
        ask = {"expression": AT_REST, "contextId": world, "awaitPromise": True, "returnByValue": True}
        size = self.call("Runtime.evaluate", ask, session).get("result", {}).get("value")
        if not isinstance(size, dict):
            raise CannotDraw("its size can't be measured")
        clip = {"x": 0, "y": 0, "scale": 1, "width": bounded(size["width"]), "height": bounded(size["height"])}
        return base64.b64decode(self.picture({"format": "png", "clip": clip, "captureBeyondViewport": True}, session))

    def picture(self, asked, session):
        before = None
        for _ in range(MOST_PICTURES):
            data = self.call("Page.captureScreenshot", asked, session)["data"]
            if data == before:
                break
            before = data
        return data

    def loaded(self, session):
        deadline = time.monotonic() + PATIENCE
        while not any(one["method"] == "Page.loadEventFired" and one.get("sessionId") == session for one in self.events):
            self.take(deadline, "to load")

    def call(self, method, params=None, session=None):
        number = self.post(method, params, session)
        deadline = time.monotonic() + PATIENCE
        while True:
            message = self.take(deadline, f"to answer {method}")
            if message.get("id") != number:
                continue
            if "error" in message:
                raise CannotDraw(f"{method}: {message['error'].get('message')}")
            return message["result"]

    def post(self, method, params=None, session=None):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params or {}, **({"sessionId": session} if session else {})}
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.send, data) :]
        return self.number

    def take(self, deadline, what):
        """The next message. A dialog of the page is closed: it would wait for an answer."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.receive], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise CannotDraw(f"the page takes longer than {PATIENCE} s {what}")
            data = os.read(self.receive, 1 << 20)
            if data == b"":
                raise CannotDraw("the browser ended")
            self.rest += data
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        if "method" in message:
            self.events.append(message)
        if message.get("method") == "Page.javascriptDialogOpening":
            self.post("Page.handleJavaScriptDialog", {"accept": False}, message.get("sessionId"))
        return message


def high_pipe():
    """A pipe whose ends are not among the first file descriptors: the browser has its own at 3 and 4."""
    ends = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in ends)
    for end in ends:
        os.close(end)
    return high


def bounded(pixels):
    return max(1, min(int(pixels), MOST_PIXELS))
