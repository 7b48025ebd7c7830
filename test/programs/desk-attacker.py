"""Runs inside a sandbox as the agent's user, and tries to gain power over the desktop.

Prints one line of JSON for each attempt: its name and its outcome, which is the name of the error that refused it or
`SUCCEEDED`. An attempt without a target fails the test, since it would prove nothing.
"""
import ctypes
import errno
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys

libc = ctypes.CDLL(None, use_errno=True)
X64 = {'ptrace': 101, 'process_vm_readv': 310, 'process_vm_writev': 311, 'pidfd_open': 434, 'pidfd_getfd': 438,
       'pidfd_send_signal': 424, 'prlimit64': 302, 'kcmp': 312, 'process_madvise': 440, 'setpriority': 141,
       'sched_setaffinity': 203, 'ioprio_set': 251, 'move_pages': 279, 'get_robust_list': 274, 'mount': 165,
       'setns': 308, 'unshare': 272, 'open_by_handle_at': 304}


def call(name, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(X64[name], *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def report(what, attempt):
    try:
        attempt()
        outcome = 'SUCCEEDED'
    except OSError as error:
        outcome = errno.errorcode.get(error.errno, str(error.errno))
    except Exception as error:  # the attempt was refused by what it ran
        outcome = f'{type(error).__name__}: {error}'[:200]
    print(json.dumps({'what': what, 'outcome': outcome}), flush=True)


def connect(address, family=socket.AF_UNIX):
    with socket.socket(family) as one:
        one.settimeout(2)
        one.connect(address)


def run(*words):
    done = subprocess.run(words, capture_output=True, timeout=20, text=True)
    if done.returncode != 0:
        raise PermissionError(errno.EPERM, (done.stderr or 'refused').strip()[-150:])


def read(path):
    with open(path, 'rb') as file:
        if not file.read(1):
            raise PermissionError(errno.EPERM, 'empty')


def write(path, text='x'):
    with open(path, 'w') as file:
        file.write(text)


def desktop_processes():
    """Finds them by sending signal 0: /proc does not show them."""
    found = []
    for pid in range(1, 600):
        try:
            os.kill(pid, 0)
        except PermissionError:
            found.append(pid)
        except ProcessLookupError:
            pass
    return found


def sockets_and_folders():
    for path in ('/desk/X1', '/desk/bridge.sock', '/tmp/.X11-unix/X1', '/desk/root/desk/X1', '/desk-profile/X1'):
        yield f'connect to {path}', lambda path=path: connect(path)
    for name in ('/tmp/.X11-unix/X1', '/desk/X1', '/desk/bridge.sock'):
        yield f'connect to the abstract socket {name}', lambda name=name: connect('\0' + name)
    for port in (6000, 6001, 9222):
        yield f'connect to port {port}', lambda port=port: connect(('127.0.0.1', port), socket.AF_INET)
    for path in ('/desk', '/desk/root', '/desk-profile', '/desk/log'):
        yield f'list {path}', lambda path=path: os.listdir(path)
    for path in ('/desk', '/desk-profile'):
        yield f'rename {path}', lambda path=path: os.rename(path, path + '.old')
        yield f'remove {path}', lambda path=path: shutil.rmtree(path)
        yield f'chmod {path}', lambda path=path: os.chmod(path, 0o777)
        yield f'chown {path}', lambda path=path: os.chown(path, 0, 0)
        yield f'make a file in {path}', lambda path=path: write(path + '/new')
        yield f'make a link in {path}', lambda path=path: os.symlink('/etc', path + '/link')
        yield f'replace {path} by exchange', lambda path=path: exchange(path)
        yield f'set the times of {path}', lambda path=path: os.utime(path, (1, 1))
        yield f'set an attribute of {path}', lambda path=path: os.setxattr(path, 'user.x', b'x')
    yield 'bind a socket at /desk/X1', lambda: socket.socket(socket.AF_UNIX).bind('/desk/X1')
    yield 'unmount /desk', lambda: run('umount', '-l', '/desk')
    yield 'mount over /desk', lambda: call('mount', b'none', b'/desk', b'tmpfs', 0, 0)
    yield 'run xdotool', lambda: run('env', 'DISPLAY=:1', 'xdotool', 'mousemove', '1', '1')


def exchange(path):
    os.makedirs('/root/other', exist_ok=True)
    ctypes.set_errno(0)
    if libc.renameat2(-100, path.encode(), -100, b'/root/other', 2) != 0:
        raise OSError(ctypes.get_errno(), 'renameat2')


def processes():
    for pid in desktop_processes():
        of = f'process {pid}'
        buffer = ctypes.create_string_buffer(16)
        vector = (ctypes.c_ulong * 2)(ctypes.addressof(buffer), 8)
        for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGUSR1):
            yield f'{number.name} to {of}', lambda pid=pid, number=number: os.kill(pid, number)
        if pid != 1:  # all that may be signalled is what that group would mean
            yield f'SIGKILL to the group of {of}', lambda pid=pid: os.killpg(os.getpgid(pid), signal.SIGKILL)
        yield f'ptrace of {of}', lambda pid=pid: call('ptrace', 16, pid, 0, 0)
        yield f'ptrace (seize) of {of}', lambda pid=pid: call('ptrace', 0x4206, pid, 0, 0)
        yield f'process_vm_readv of {of}', lambda pid=pid, v=vector: call('process_vm_readv', pid, v, 1, v, 1, 0)
        yield f'process_vm_writev of {of}', lambda pid=pid, v=vector: call('process_vm_writev', pid, v, 1, v, 1, 0)
        yield f'pidfd_getfd of {of}', lambda pid=pid: call('pidfd_getfd', call('pidfd_open', pid, 0), 3, 0)
        yield f'pidfd_send_signal to {of}', lambda pid=pid: call('pidfd_send_signal', call('pidfd_open', pid, 0), 9, 0, 0)
        yield f'prlimit of {of}', lambda pid=pid: call('prlimit64', pid, 7, buffer_of_limits(), 0)
        yield f'kcmp with {of}', lambda pid=pid: call('kcmp', os.getpid(), pid, 0, 0, 0)
        yield f'nice value of {of}', lambda pid=pid: call('setpriority', 0, pid, 19)
        yield f'CPUs of {of}', lambda pid=pid: os.sched_setaffinity(pid, {0})
        yield f'I/O priority of {of}', lambda pid=pid: call('ioprio_set', 1, pid, 3 << 13)
        for name in ('mem', 'environ', 'maps', 'syscall', 'auxv', 'io', 'stack', 'pagemap'):
            yield f'read {name} of {of}', lambda pid=pid, name=name: read(f'/proc/{pid}/{name}')
        for name in ('mem', 'oom_score_adj', 'coredump_filter', 'clear_refs', 'comm'):
            yield f'write {name} of {of}', lambda pid=pid, name=name: write(f'/proc/{pid}/{name}', '1000')
        for name in ('fd', 'map_files', 'root/', 'cwd/'):
            yield f'list {name} of {of}', lambda pid=pid, name=name: os.listdir(f'/proc/{pid}/{name}')
        for name in ('exe', 'ns/mnt', 'fd/0'):
            yield f'follow {name} of {of}', lambda pid=pid, name=name: os.readlink(f'/proc/{pid}/{name}')
    yield 'SIGKILL to the first process', lambda: os.kill(1, signal.SIGKILL)
    yield 'SIGTERM to the first process', lambda: os.kill(1, signal.SIGTERM)
    yield 'ptrace of the first process', lambda: call('ptrace', 16, 1, 0, 0)
    yield 'the root of the first process', lambda: os.listdir('/proc/1/root/')


def buffer_of_limits():
    return ctypes.create_string_buffer(struct.pack('QQ', 3, 3))


def powers(user):
    for name, become in (('setuid', lambda: os.setuid(user)), ('setgid', lambda: os.setgid(user)),
                         ('setresuid', lambda: os.setresuid(user, user, user)),
                         ('setgroups', lambda: os.setgroups([user]))):
        yield name + ' to the desktop user', become
    yield 'setfsuid to the desktop user', lambda: fs_user(user)
    yield 'chroot', lambda: os.chroot('/tmp')
    yield 'a user namespace', lambda: call('unshare', 0x10000000)
    yield 'a mount namespace', lambda: call('unshare', 0x20000)
    yield 'the namespaces of the first process', lambda: call('setns', os.open('/proc/1/ns/mnt', os.O_RDONLY), 0)
    yield 'a program with the set-user-ID bit of the desktop user', lambda: set_user_id(user)
    yield 'su', lambda: run('su', '-s', '/bin/true', 'nobody')
    yield 'setpriv', lambda: run('setpriv', f'--reuid={user}', 'true')
    yield 'a capability from a file', lambda: os.setxattr('/usr/bin/env', 'security.capability', CAPABILITY)
    yield 'System V shared memory of the desktop', attach_all


CAPABILITY = struct.pack('<IIIII', 0x02000001, 0xffffffff, 0, 0xffffffff, 0)


def fs_user(user):
    libc.setfsuid(user)
    if libc.setfsuid(-1) != user:
        raise PermissionError(errno.EPERM, 'setfsuid')


def set_user_id(user):
    shutil.copy('/usr/bin/true', '/root/other-user')
    os.chown('/root/other-user', user, user)


def attach_all():
    with open('/proc/sysvipc/shm') as file:
        rows = [line.split() for line in file][1:]
    for row in rows:
        libc.shmat.restype = ctypes.c_long
        if libc.shmat(int(row[1]), None, 0o10000) != -1:
            return
    raise PermissionError(errno.EPERM, f'{len(rows)} segments')


def main():
    user = int(sys.argv[1])
    for what, attempt in (*sockets_and_folders(), *powers(user), *processes()):
        report(what, attempt)


main()
