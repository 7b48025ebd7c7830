/*
 * Loaded into CRIU. A thread that is stopped while it waits with a limit of time, e.g. in poll or nanosleep, is to wait
 * on by the kernel's own notes (ERESTART_RESTARTBLOCK), which no dump can hold: so CRIU has such a call fail with EINTR,
 * after a dump and after a restore. Most programs call again; the watcher of files in VS Code gives up for good. What
 * was asked for is in the thread's registers still, so this has CRIU take it for a call that begins anew, with the whole
 * of its time. Without headers, to be compiled by a compiler alone.
 */
typedef struct { long *base; unsigned long length; } vector;
typedef long call(long, long, void *, void *);

extern void *dlsym(void *, const char *);

#if defined __x86_64__
enum { PEEK = 1, GETREGS = 12, GETREGSET = 0x4204, GENERAL = 1 };
/* Of struct user_regs_struct, whose members are 8 bytes each. */
enum { RESULT = 10, CALL = 15, NEXT = 16, MEMBERS = 27 };
enum { RESTART_BY_NOTES = -516, RESTART_ANEW = -514 };
enum { POLL = 7, NANOSLEEP = 35, FUTEX = 202, RESTART = 219, CLOCK_NANOSLEEP = 230 };

/*
 * The number of the call that a thread has made, -1 if it is not known. One that was stopped before, and went on by the
 * kernel's notes, calls for that alone since: then the number is in its code, in `mov $number, %eax; syscall`.
 */
static long call_of(call *next, long process, const long *registers) {
  long code, number;
  if (registers[CALL] != RESTART) return registers[CALL];
  /* Eight bytes that end where it goes on: any, the two of the one instruction, and before them five of the other. */
  code = next(PEEK, process, (void *)(registers[NEXT] - 8), 0);
  number = code >> 16 & 0xffffffff;
  if ((code >> 8 & 0xff) != 0xb8 || (code >> 48 & 0xffff) != 0x050f) return -1;
  return number == POLL || number == NANOSLEEP || number == FUTEX || number == CLOCK_NANOSLEEP ? number : -1;
}

static void restart_anew(call *next, long process, long *registers) {
  long number;
  if (registers[RESULT] != RESTART_BY_NOTES) return;
  number = call_of(next, process, registers);
  if (number < 0) return;
  registers[CALL] = number;
  registers[RESULT] = RESTART_ANEW;
}
#endif

/* In place of the C library's. On other processors the kernel has set the registers for a new call by then. */
long ptrace(long request, long process, void *address, void *data) {
  static call *next;
  long result;
  if (!next) next = dlsym((void *)-1L, "ptrace");
  result = next(request, process, address, data);
#if defined __x86_64__
  if (result != 0) return result;
  if (request == GETREGS) restart_anew(next, process, data);
  if (request == GETREGSET && address == (void *)GENERAL && ((vector *)data)->length >= MEMBERS * sizeof(long))
    restart_anew(next, process, ((vector *)data)->base);
#endif
  return result;
}
