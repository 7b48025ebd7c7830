#!/.pwp/usr/lib/pwp/bin/python3 -IS
"""Stands in for a program, by the name that it is called by.

Programs of a desktop have no effect, and find a window of VS Code once it was opened. `sudo` and `su` change the user. What
is to be installed must be in the image: else it is noted as missing.
"""

import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, "/usr/local/gym")
import machine

NAME, WORDS = os.path.basename(sys.argv[0]), sys.argv[1:]
NOTES = "/gym-notes"
# As in machine.py.
NOW = 1_767_225_601
WINDOW = "4194305"
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
MODULES = {
    **{"pillow": "PIL", "python-dateutil": "dateutil", "pyyaml": "yaml", "beautifulsoup4": "bs4", "scikit-learn": "sklearn"},
    **{"opencv-python": "cv2", "opencv-python-headless": "cv2", "pycryptodome": "Crypto", "pyjwt": "jwt"},
    **{"pytest-json-report": "pytest_jsonreport", "pytest-asyncio": "pytest_asyncio"},
}
INSTALLERS = ("pip", "setuptools", "wheel")


def note(file, text):
    with open(f"{NOTES}/{file}", "a", encoding="utf-8") as lines:
        lines.write(f"{text}\n".replace("\0", ""))


def is_open():
    return os.path.getsize(f"{NOTES}/opened") > 0


def run(program, words=WORDS):
    """The image's own program."""
    path = shutil.which(program, path=f"{machine.SHARED}:/usr/bin:/bin:/usr/sbin:/sbin:/opt/node/bin")
    if path is None:
        sys.exit(f"{program}: command not found")
    os.execv(path, [program, *words])


def missing(kind, names):
    for name in names:
        note("lacks", f"{kind}: {name}")
    if names:
        sys.exit(f"{NAME}: the image does not have {', '.join(names)}")


def code():
    if "--list-extensions" in WORDS:
        folder = os.path.expanduser("~/.vscode/extensions")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        print("\n".join(sorted({re.sub(r"-\d+\.\d+.*$", "", name) for name in names if "." in name})))
    elif not any(word in WORDS for word in ("--install-extension", "--version", "-v", "--help", "--uninstall-extension")):
        paths = [word for word in WORDS if not word.startswith("-")]
        for path in paths or ["."]:
            note("opened", os.path.abspath(re.sub(r"(:\d+)+$", "", path)))


def windows():
    if NAME == "wmctrl" and any(word.startswith("-l") for word in WORDS) and is_open():
        print(f"0x00400001  0 {os.uname().nodename} Visual Studio Code")
    elif NAME == "xdotool" and WORDS and WORDS[0].startswith(("search", "getactivewindow", "getwindowfocus")):
        print(WINDOW)


def picture():
    """A file, since scripts stop without one; nothing is on it."""
    for path in [word for word in WORDS if re.search(r"\.(png|jpe?g)$", word)][-1:]:
        with open(path, "wb") as file:
            file.write(PICTURE)


def processes():
    if not any("code" in word.lower() for word in WORDS):
        run(NAME)
    if NAME == "pgrep" and is_open():
        print("4242")
    sys.exit(0 if is_open() else 1)


def become(user, env, argv, folder=None):
    info = pwd.getpwnam(user)
    own = {"HOME": info.pw_dir, "USER": user, "LOGNAME": user, "SHELL": info.pw_shell or "/bin/bash"}
    if os.getuid() != info.pw_uid:
        if os.getuid() != 0:
            sys.exit(f"{NAME}: only root can become {user} here")
        os.setgroups([info.pw_gid])
        os.setgid(info.pw_gid)
        os.setuid(info.pw_uid)
    if folder is not None:
        os.chdir(info.pw_dir if os.path.isdir(info.pw_dir) else folder)
    paths = "/usr/local/bin:/usr/bin:/bin" if info.pw_uid else "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    os.environ.clear()
    os.environ.update({"PATH": paths, "LANG": "C.UTF-8", "TERM": "dumb", "DISPLAY": ":1", **env, **own})
    try:
        os.execvp(argv[0], argv)
    except FileNotFoundError:
        sys.exit(f"{NAME}: {argv[0]}: command not found")
    except OSError as error:
        sys.exit(f"{NAME}: {argv[0]}: {error.strerror}")


def sudo():
    user, env, words, login = "root", {}, list(WORDS), False
    while words and (words[0].startswith("-") or re.match(r"^\w+=", words[0])):
        word = words.pop(0)
        if word == "--":
            break
        if "=" in word and not word.startswith("-"):
            name, _, value = word.partition("=")
            env[name] = value
        elif word.startswith("--user="):
            user = word.removeprefix("--user=")
        elif word in ("-u", "--user", "-g", "-h", "-p", "-C", "-D", "-r", "-t"):
            value = words.pop(0) if words else ""
            user = value if word in ("-u", "--user") else user
        elif not word.startswith("--"):
            login = login or "i" in word
            if word.endswith("u"):
                user = words.pop(0) if words else user
    if not words:
        words = ["/bin/bash"]
    become(user, env, ["/bin/bash", "-lc", " ".join(words)] if login else words, "/" if login else None)


def su():
    user, command, shell, login, words = "root", None, "/bin/bash", False, list(WORDS)
    rest = []
    while words:
        word = words.pop(0)
        if word in ("-", "-l", "--login"):
            login = True
        elif word in ("-c", "--command"):
            command = words.pop(0) if words else ""
        elif word in ("-s", "--shell"):
            shell = words.pop(0) if words else shell
        elif not word.startswith("-"):
            rest.append(word)
    user = rest[0] if rest else user
    argv = [shell, *(["-l"] if login else []), *(["-c", command] if command is not None else [])]
    become(user, {}, argv, "/" if login else None)


def is_module(package):
    plain = re.split(r"[@=<>~!;\[ ]", package.lower())[0]
    module = MODULES.get(plain, plain.removeprefix("python-").replace("-", "_"))
    has_program = shutil.which(plain, path=f"{machine.PATH}:{machine.SHARED}") is not None
    return plain in INSTALLERS or has_program or not machine.lacking_modules([module])


def pip():
    if "install" not in WORDS:
        return
    words, names = WORDS[WORDS.index("install") + 1 :], []
    while words:
        word = words.pop(0)
        if word in ("-r", "--requirement") and words:
            with open(words.pop(0), encoding="utf-8") as file:
                lines = [line.split("#")[0].strip() for line in file]
            names += [line for line in lines if re.match(r"\w", line)]
        elif word in ("-t", "--target", "-i", "--index-url", "--root-user-action", "-c", "--constraint"):
            words[:1] = []
        elif not word.startswith(("-", ".", "/")):
            names.append(word)
    missing("Python", [name for name in names if not is_module(name)])


def npm():
    if not WORDS or WORDS[0] not in ("install", "i", "ci", "add"):
        run("npm")
    names = [word for word in WORDS[1:] if not word.startswith("-")]
    if not names and os.path.isfile("package.json"):
        with open("package.json", encoding="utf-8") as file:
            read = json.load(file)
        names = [*read.get("dependencies", {}), *read.get("devDependencies", {})]
    names = [re.sub(r"(?<=.)@.*$", "", name) for name in names]
    missing("npm", [name for name in names if not machine.has_npm_package(os.getcwd(), name)])


def apt():
    words = WORDS[WORDS.index("install") + 1 :] if "install" in WORDS else []
    names = [word.split("=")[0] for word in words if not word.startswith("-")]
    known = ["dpkg-query", "-W", "-f", "${db:Status-Status}"]
    missing("Debian", [one for one in names if b"installed" not in subprocess.run([*known, one], capture_output=True).stdout])


def service():
    words = [word for word in WORDS if not word.startswith("-")]
    if any(word in ("start", "restart") for word in words):
        missing("service", [word for word in words if word not in ("start", "restart", "enable")])


def fetch():
    if any(re.search(r"\b(localhost|127\.0\.0\.1)\b", word) for word in WORDS):
        run(NAME)
    for word in WORDS:
        if re.match(r"^(https?|ftp)://", word):
            note("fetched", word)
    sys.exit(f"{NAME}: there is no network")


def date():
    asked = any(re.match(r"^(-d|--date|-r|--reference|-s|--set|-f|--file)", word) for word in WORDS)
    run("date", WORDS if asked else ["-d", f"@{NOW}", *WORDS])


def sleep():
    """Windows need no time here; what else is waited for is a file or a process of this machine."""
    seconds = [float(word[:-1] if word.endswith("s") else word) for word in WORDS if re.match(r"^[\d.]+s?$", word)]
    time.sleep(min(sum(seconds), 1))


CALLS = {
    **{"code": code, "code-insiders": code, "wmctrl": windows, "xdotool": windows, "pgrep": processes, "pkill": processes},
    **{"scrot": picture, "import": picture, "gnome-screenshot": picture, "sudo": sudo, "su": su, "npm": npm},
    **{"pip": pip, "pip3": pip, "apt": apt, "apt-get": apt, "systemctl": service, "service": service},
    **{"curl": fetch, "wget": fetch, "date": date, "sleep": sleep},
}
CALLS.get(NAME, lambda: None)()
