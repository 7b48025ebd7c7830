/*
 * Loaded into CRIU. The kernel shows limits of resources of a process to its own user, or with CAP_SYS_RESOURCE, which
 * root of a container or of a small virtual machine may lack; and a sandbox has processes of two users. So where CRIU may
 * not read them as root, this asks again as their owner. Without headers, to be compiled by a compiler alone.
 */
enum { EPERM = 1 };
#if defined __x86_64__
enum { PRLIMIT64 = 302 };
#elif defined __aarch64__
enum { PRLIMIT64 = 261 };
#endif

typedef struct stream stream;
extern void *dlsym(void *, const char *);
extern int *__errno_location(void);
extern int setresuid(unsigned, unsigned, unsigned), setresgid(unsigned, unsigned, unsigned);
extern int snprintf(char *, unsigned long, const char *, ...), sscanf(const char *, const char *, ...);
extern stream *fopen(const char *, const char *);
extern char *fgets(char *, int, stream *);
extern int fclose(stream *);

static int find_owner(long process, unsigned *user, unsigned *group) {
  char text[256];
  int found = 0;
  stream *status;
  snprintf(text, sizeof text, "/proc/%ld/status", process);
  status = fopen(text, "re");
  if (!status) return 0;
  while (fgets(text, sizeof text, status))
    found += sscanf(text, "Uid: %u", user) == 1 || sscanf(text, "Gid: %u", group) == 1;
  fclose(status);
  return found == 2;
}

/* In place of the C library's; CRIU asks for limits of others by number. */
long syscall(long number, long a, long b, long c, long d, long e, long f) {
  static long (*next)(long, ...);
  unsigned user, group;
  long result;
  if (!next) next = dlsym((void *)-1L, "syscall");
  result = next(number, a, b, c, d, e, f);
  if (result != -1 || *__errno_location() != EPERM || number != PRLIMIT64 || c != 0) return result;
  if (!find_owner(a, &user, &group)) return result;
  if (setresgid(group, -1, -1) == 0 && setresuid(user, -1, -1) == 0) result = next(number, a, b, c, d, e, f);
  setresuid(0, -1, -1);
  setresgid(0, -1, -1);
  return result;
}
