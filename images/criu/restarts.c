/*
 * Loaded into CRIU. A thread that is stopped while it waits with a limit of time, e.g. in poll or nanosleep, is to wait
 * on by the kernel's own notes (ERESTART_RESTARTBLOCK), which no dump can hold: so CRIU has such a call fail with EINTR,
 * after a dump and after a restore. Most programs call again; the watcher of files in VS Code gives up for good. What
 * was asked for is in the thread's registers still, so this has CRIU take it for a call that begins anew, with the whole
 * of its time. Without headers, to be compiled by a compiler alone.
 */
typedef struct { long *base; unsigned long length; } vector;

extern void *dlsym(void *, const char *);

#if defined __x86_64__
enum { GETREGS = 12, GETREGSET = 0x4204, GENERAL = 1 };
/* Of struct user_regs_struct, whose members are 8 bytes each. */
enum { RESULT = 10, CALL = 15, MEMBERS = 27 };
enum { RESTART_BY_NOTES = -516, RESTART_ANEW = -514 };

static void restart_anew(long *registers) {
  if (registers[CALL] >= 0 && registers[RESULT] == RESTART_BY_NOTES) registers[RESULT] = RESTART_ANEW;
}
#endif

/* In place of the C library's. On other processors the kernel has set the registers for a new call by then. */
long ptrace(long request, long process, void *address, void *data) {
  static long (*next)(long, long, void *, void *);
  long result;
  if (!next) next = dlsym((void *)-1L, "ptrace");
  result = next(request, process, address, data);
#if defined __x86_64__
  if (result != 0) return result;
  if (request == GETREGS) restart_anew(data);
  if (request == GETREGSET && address == (void *)GENERAL && ((vector *)data)->length >= MEMBERS * sizeof(long))
    restart_anew(((vector *)data)->base);
#endif
  return result;
}
