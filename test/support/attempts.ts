const python = (code: string) => `python3 -c '${code}'`;
const dial = (family: string, address: string) =>
  python(`import socket; s = socket.socket(socket.${family}); s.settimeout(2); s.connect(${address})`);
/** Succeeds unless there is no route there at all: nothing outside has to answer. */
const reach = (family: string, address: string) =>
  python(
    `import socket, sys; s = socket.socket(socket.${family}); s.settimeout(2); ` +
      // EAFNOSUPPORT, EADDRNOTAVAIL, ENETUNREACH
      `sys.exit(1 if s.connect_ex(${address}) in (97, 99, 101) else 0)`,
  );
/** Succeeds unless the call itself is refused: an error about bad arguments means that the kernel looked at them. */
const syscall = (number: number, ...args: (number | string)[]) =>
  python(
    'import ctypes, os, sys; c = ctypes.CDLL(None, use_errno=True); ' +
      `r = c.syscall(${[number, ...args].join(', ')}); ` +
      // EPERM, EACCES, ENOSYS
      'sys.exit(1 if r < 0 and ctypes.get_errno() in (1, 13, 38) else 0)',
  );
/** Writes a file's own content back to it: harmless if it succeeds. */
const rewrite = (path: string) => `v=$(cat ${path}) && printf %s "$v" > ${path}`;

/** Asks the kernel for a bridge without any program: this alone creates an interface. */
const newInterface = python(
  'import socket, struct, sys; kind = struct.pack("HH7sx", 11, 1, b"bridge\\0"); ' +
    'body = bytes(16) + struct.pack("HH", 16, 18) + kind; ' +
    's = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0); ' +
    's.send(struct.pack("IHHII", 16 + len(body), 16, 0x605, 1, 0) + body); ' +
    'sys.exit(0 if struct.unpack("i", s.recv(4096)[16:20])[0] == 0 else 1)',
);

/** What the neighbour holds: a debugging port, a display, an abstract socket, a process with a number in its name. */
export const holding = python(
  'import socket, time; u = socket.AF_UNIX; ' +
    's = [socket.socket(), socket.socket(u), socket.socket(u)]; ' +
    's[1].bind("/tmp/X7"); s[2].bind("\\0neighbour"); s[0].bind(("127.0.0.1", 9333)); ' +
    '[each.listen() for each in s]; time.sleep(7654321)',
);

/**
 * The attempts from inside, by their target: a line of bash that ends with 0 if it succeeds. An IDE has its own display
 * and debugging port, so the neighbour's have other numbers.
 */
export function attempts(neighbour: string, hostPort: number): Record<string, string> {
  return {
    ...onTheNeighbour,
    "another sandbox's run folder": `ls -d /run/pwp/${neighbour} /run/pwp/*/desk 2>/dev/null | grep .`,
    ...onTheMachine(hostPort),
    ...onTheKernelsFiles,
    ...onTheKernel,
    // Inode 2, the root of the disk that the file is on: a known way out of containers.
    "the host's files, by a handle of a file system": syscall(
      304,
      'os.open("/etc/hosts", 0)',
      '(ctypes.c_ubyte * 16)(8, 0, 0, 0, 1, 0, 0, 0, 2)',
      0,
    ),
    'the tests and solutions':
      "find / -xdev \\( -path /proc -o -path /sys \\) -prune -o -name 'test.sh' -path '*/tests/*' -print -o -name solve.sh -print -o -name false-solutions -print | grep .",
  };
}

/** These succeed in the neighbour itself, so their failure elsewhere proves the wall. */
export const onTheNeighbour: Record<string, string> = {
  "another sandbox's files": `find / -xdev -name 'secret-of-the-neighbour' 2>/dev/null | grep -q .`,
  "another sandbox's processes": 'pgrep -f 765432[1]',
  "another sandbox's display": dial('AF_UNIX', '"/tmp/X7"'),
  "another sandbox's abstract sockets": dial('AF_UNIX', '"\\0neighbour"'),
  "another sandbox's debugging port": dial('AF_INET', '("127.0.0.1", 9333)'),
};

function onTheMachine(hostPort: number): Record<string, string> {
  return {
    "the host's files, through /proc/1/root": 'test -e /proc/1/root/run/pwp/runc',
    "the host's files, through a folder held open": python(
      'import os, sys; sys.exit(0 if any(os.path.exists(f"/proc/{p}/cwd/../../../../run/pwp/runc") for p in os.listdir("/proc") if p.isdigit()) else 1)',
    ),
    "the node's folder of sandboxes":
      'ls -d /run/pwp/runc /root/.cache/pwp /var/lib/pwp/sandboxes 2>/dev/null | grep .',
    "the node's socket": 'find / -xdev -name node.sock 2>/dev/null | grep . || ls -d /run/pwp-node',
    "Docker's socket": 'ls -d /var/run/docker.sock /run/docker.sock /run/containerd 2>/dev/null | grep .',
    'a service on the loopback of the host': dial('AF_INET', `("127.0.0.1", ${hostPort})`),
    'an interface besides the loopback': "ls /sys/class/net | grep -v '^lo$'",
    'an address outside': reach('AF_INET', '("1.1.1.1", 53)'),
    'an address outside, of IPv6': reach('AF_INET6', '("2606:4700:4700::1111", 53)'),
    'the metadata of a cloud': reach('AF_INET', '("169.254.169.254", 80)'),
    'a new interface': newInterface,
    'a process outside': "ps -e -o args= | grep -E '[d]ockerd|[c]ontainerd|[r]unc |[m]ocha'",
    'a device': 'mknod /root/disk b 254 0',
    'the disk of the machine': 'find /dev -type b | grep . || head -c 1 /dev/vda || head -c 1 /dev/sda',
    'a disk through a loop device': 'head -c 1 /dev/loop-control || ls /dev/loop* 2>/dev/null | grep .',
    'the hypervisor': 'ls /dev/kvm /dev/vsock /dev/vhost-net 2>/dev/null | grep .',
  };
}

const onTheKernelsFiles: Record<string, string> = {
  'a setting of the kernel': rewrite('/proc/sys/kernel/panic'),
  'the pattern of core dumps': rewrite('/proc/sys/kernel/core_pattern'),
  'the program for modules': rewrite('/proc/sys/kernel/modprobe'),
  'the order of memory for all': rewrite('/proc/sys/vm/overcommit_memory'),
  'a handler of programs': 'echo ":x:M::xx::/bin/sh:" > /proc/sys/fs/binfmt_misc/register',
  'the magic key': 'echo h > /proc/sysrq-trigger',
  interrupts: 'for f in /proc/irq/*/smp_affinity; do v=$(cat $f) && echo "$v" > $f && exit 0; done; exit 1',
  'a setting in /sys': 'touch /sys/kernel/x || echo 0 > /sys/kernel/uevent_helper',
  'writing to /proc again': 'mount -o remount,rw /proc/sys',
  'writing to /proc by another mount of it': 'mkdir -p /root/proc && mount -t proc proc /root/proc',
  'the memory of the kernel':
    'head -c 1 /dev/mem || head -c 1 /dev/kmem || head -c 1 /proc/kcore | grep -q .',
  "the kernel's log": 'dmesg | grep -q . || head -c 1 /dev/kmsg',
  "the kernel's keys and timers": 'cat /proc/keys /proc/timer_list | grep -q .',
  'a release agent of control groups':
    'mkdir -p /root/cg && mount -t cgroup -o memory x /root/cg || find /sys/fs/cgroup -name release_agent | grep -q .',
  'a larger share of memory':
    'find /sys/fs/cgroup -name memory.max -o -name memory.limit_in_bytes | grep -q .',
  'a better score when memory is short': 'echo -1000 > /proc/self/oom_score_adj',
};

const onTheKernel: Record<string, string> = {
  'a mount': 'mount -t tmpfs x /mnt',
  'a bind mount': 'mount --bind / /mnt',
  'a module of a file': syscall(313, 'os.open("/etc/hosts", 0)', 'b""', 0),
  'a module of memory': syscall(175, 'b""', 0, 'b""'),
  'out of a chroot': python('import os; os.makedirs("/root/jail", exist_ok=True); os.chroot("/root/jail")'),
  'a user namespace': 'unshare -U true',
  'a namespace of mounts': 'unshare -m true',
  'a namespace of processes': 'unshare -p -f true',
  "the namespaces of the host's first process": 'nsenter -t 1 -n -m -p ls /run/pwp/runc',
  'a raw socket': python('import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)'),
  'a packet socket': python('import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3)'),
  'a vsock to the hypervisor': python('import socket; socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)'),
  'the keyring': syscall(250, 0, -1),
  'a BPF program': syscall(321, 0, '(ctypes.c_uint * 20)(1, 4, 4, 1)', 80),
  'performance events': syscall(298, '(ctypes.c_uint * 32)(1, 128)', 0, -1, -1, 0),
  io_uring: syscall(425, 1, '(ctypes.c_uint * 32)()'),
  userfaultfd: syscall(323, 0),
  'another clock': 'date -s "$(date)"',
  'another host name': 'hostname other',
  'more than its share of real time': 'chrt -f 50 true || renice -n -20 $$',
  swap: syscall(167, 'b"/etc/hosts"', 0),
  // The command that lets the key combination restart the machine: harmless if it succeeds.
  'a restart': syscall(169, '0xfee1dead', 672_274_793, '0x89abcdef', 0),
};
