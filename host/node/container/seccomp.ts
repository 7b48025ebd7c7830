/**
 * Which system calls a sandbox may make, as a profile for runc. All that is not named answers EPERM; what is newer than
 * every name here answers ENOSYS (runc does that by itself).
 *
 * It grants what Docker's default profile grants a container without extra capabilities, except:
 * - io_uring and memory protection keys, which CRIU can neither dump nor restore. They answer ENOSYS, as on an old
 *   kernel, so that programs take their other way.
 * - user namespaces, other address families than those below, 32-bit programs, the kernel's keyrings, tracing of the
 *   kernel, NUMA placement, clocks: nothing in an IDE needs them.
 */
const fileCalls = `access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2
  fadvise64 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr flistxattr flock
  fremovexattr fsetxattr fstat fstatfs fsync ftruncate futimesat getcwd getdents getdents64 getxattr inotify_add_watch
  inotify_init inotify_init1 inotify_rm_watch ioctl lchown lgetxattr link linkat listxattr llistxattr lremovexattr lseek
  lsetxattr lstat memfd_create mkdir mkdirat mknod mknodat name_to_handle_at newfstatat open openat openat2 pread64
  preadv preadv2 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv removexattr rename renameat renameat2
  rmdir sendfile setxattr splice stat statfs statx symlink symlinkat sync sync_file_range syncfs tee truncate umask unlink
  unlinkat utime utimensat utimes vmsplice write writev`;

const memoryCalls = `brk madvise membarrier mincore mlock mlock2 mlockall mmap mprotect mremap msync munlock munlockall munmap
  remap_file_pages shmat shmctl shmdt shmget process_madvise process_mrelease`;

const processCalls = `arch_prctl capget capset chroot execve execveat exit exit_group fork get_robust_list get_thread_area
  getcpu getegid geteuid getgid getgroups getpgid getpgrp getpid getppid getpriority getresgid getresuid getrlimit
  getrusage getsid gettid getuid ioprio_get ioprio_set landlock_add_rule landlock_create_ruleset landlock_restrict_self
  modify_ldt pidfd_getfd pidfd_open pidfd_send_signal prctl prlimit64 process_vm_readv process_vm_writev ptrace rseq
  sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
  sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield seccomp
  set_robust_list set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setpgid setpriority setregid
  setresgid setresuid setreuid setrlimit setsid setuid sysinfo times uname vfork wait4 waitid`;

const signalCalls = `alarm getitimer kill pause restart_syscall rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo
  rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo setitimer sigaltstack signalfd signalfd4 tgkill tkill`;

const waitingCalls = `epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 futex
  futex_requeue futex_wait futex_waitv futex_wake io_cancel io_destroy io_getevents io_pgetevents io_setup io_submit poll
  ppoll pselect6 select`;

const timeCalls = `adjtimex clock_getres clock_gettime clock_nanosleep getrandom gettimeofday nanosleep time timer_create
  timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime`;

const messageCalls = `accept accept4 bind connect getpeername getsockname getsockopt listen mq_getsetattr mq_notify mq_open
  mq_timedreceive mq_timedsend mq_unlink msgctl msgget msgrcv msgsnd pipe pipe2 recvfrom recvmmsg recvmsg semctl semget
  semop semtimedop sendmmsg sendmsg sendto setsockopt shutdown socketpair`;

/** Numbers of Linux's <bits/socket.h>: Unix, IPv4, IPv6, netlink (for the list of interfaces). */
const addressFamilies = [1, 2, 10, 16];
/** CLONE_NEW* of every namespace: a `clone` with any of them is refused. */
const cloneNamespaces = 0x7e020000;
/**
 * The values that personality(2) may set: Linux, its 32-bit view of uname, both with 2.6 version numbers, and asking.
 */
const personalities = [0x0, 0x8, 0x20000, 0x20008, 0xffffffff];
const EPERM = 1;
const ENOSYS = 38;

/** The answer to a group of system calls, by their arguments where some are given. */
export interface SeccompRule {
  readonly names: readonly string[];
  readonly action: 'SCMP_ACT_ALLOW' | 'SCMP_ACT_ERRNO';
  readonly errnoRet?: number;
  readonly args?: readonly { index: number; value: number; valueTwo?: number; op: string }[];
}

/** The `linux.seccomp` part of a runc configuration, for the processor that this runs on. */
export function seccompProfile(arch: NodeJS.Architecture = process.arch) {
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: EPERM,
    architectures: [arch === 'arm64' ? 'SCMP_ARCH_AARCH64' : 'SCMP_ARCH_X86_64'],
    syscalls: listRules(),
  };
}

function listRules(): SeccompRule[] {
  const always = [
    fileCalls,
    memoryCalls,
    processCalls,
    signalCalls,
    waitingCalls,
    timeCalls,
    messageCalls,
  ].flatMap((group) => group.split(/\s+/));
  return [
    { names: always, action: 'SCMP_ACT_ALLOW' },
    { names: ['clone'], action: 'SCMP_ACT_ALLOW', args: [matchMasked(0, cloneNamespaces)] },
    // Its flags are behind a pointer, out of a filter's sight: C libraries fall back to clone.
    { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: ENOSYS },
    ...addressFamilies.map((family) => allowEqual('socket', family)),
    ...personalities.map((value) => allowEqual('personality', value)),
    {
      names: [
        'io_uring_setup',
        'io_uring_enter',
        'io_uring_register',
        'pkey_alloc',
        'pkey_free',
        'pkey_mprotect',
      ],
      action: 'SCMP_ACT_ERRNO',
      errnoRet: ENOSYS,
    },
  ];
}

function allowEqual(name: string, value: number): SeccompRule {
  return { names: [name], action: 'SCMP_ACT_ALLOW', args: [{ index: 0, value, op: 'SCMP_CMP_EQ' }] };
}

function matchMasked(index: number, mask: number) {
  return { index, value: mask, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' };
}
