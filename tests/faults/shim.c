/* Loaded before the C library (LD_PRELOAD): counts the calls that open, write, rename or remove something below one
   folder, in every process of a run, and lets one of them fail, or ends or interrupts the run at it.

   FAULT_STATE names a file of 8 bytes a field, which all processes share: armed, count, at, kind, number, length of
   the list of calls that follows. FAULT_FOLDER is the folder. kind: 0 count, 1 this call fails with `number`, 2 this
   call and every later one that needs room fails with it, 3 SIGKILL to this process, 4 the signal `number` to the
   whole group, before the call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define LIST (1 << 20)
#define FDS 4096
typedef struct { long armed, count, at, kind, number, length; char list[LIST]; } State;
static State *state;
static const char *folder;
static char watched[FDS];

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("FAULT_STATE");
    folder = getenv("FAULT_FOLDER");
    int file = name && folder ? syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC, 0) : -1;
    if (file < 0) return;
    void *found = mmap(NULL, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (found != MAP_FAILED) state = found;
}

static int below(int at, const char *path) {
    char here[PATH_MAX];
    if (!state || !state->armed || !path) return 0;
    if (path[0] != '/') {
        if (at != AT_FDCWD) return at >= 0 && at < FDS && watched[at];
        if (!getcwd(here, sizeof here)) return 0;
        path = here;
    }
    size_t size = strlen(folder);
    return !strncmp(path, folder, size) && (path[size] == '/' || !path[size]);
}

static int held(int fd) { return state && state->armed && fd >= 0 && fd < FDS && watched[fd]; }

/* Whether the call is to fail. `room`: it needs room on the disk. */
static int fails(const char *call, const char *path, int room) {
    long now = __atomic_add_fetch(&state->count, 1, __ATOMIC_SEQ_CST);
    if (!state->kind) {
        char line[PATH_MAX + 32];
        int size = snprintf(line, sizeof line, "%s %s\n", call, path ? path : "");
        long start = __atomic_fetch_add(&state->length, size, __ATOMIC_SEQ_CST);
        if (start + size < LIST) memcpy(state->list + start, line, size);
    }
    int fault = state->kind == 2 ? now >= state->at && room : now == state->at;
    if (!fault || !state->kind) return 0;
    if (state->kind == 3) syscall(SYS_kill, getpid(), SIGKILL);
    if (state->kind == 4) { syscall(SYS_kill, 0, (int)state->number); return 0; }
    errno = (int)state->number;
    return 1;
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name)
#define OPENS(name, first, given, at, ...)                                            \
    int name(first const char *path, int flags, ...) {                                \
        REAL(name);                                                                   \
        va_list more; va_start(more, flags); mode_t mode = va_arg(more, mode_t); va_end(more); \
        int ours = below(at, path), makes = (flags & O_CREAT) != 0;                   \
        if (ours && fails(flags & (O_WRONLY | O_RDWR | O_CREAT) ? "open to write" : "open", path, makes)) return -1; \
        int fd = real(given path, flags, mode);                                       \
        if (fd >= 0 && fd < FDS) watched[fd] = (char)ours;                            \
        return fd;                                                                    \
    }
#define NONE
OPENS(open, NONE, NONE, AT_FDCWD)
OPENS(open64, NONE, NONE, AT_FDCWD)
#define COMMA ,
OPENS(openat, int at COMMA, at COMMA, at)
OPENS(openat64, int at COMMA, at COMMA, at)

#define ON_FD(result, name, room, given, ...)                                         \
    result name(int fd __VA_OPT__(,) __VA_ARGS__) {                                   \
        REAL(name);                                                                   \
        if (held(fd) && fails(#name, NULL, room)) return -1;                          \
        return real given;                                                            \
    }
ON_FD(ssize_t, write, 1, (fd, data, size), const void *data, size_t size)
ON_FD(ssize_t, pwrite, 1, (fd, data, size, to), const void *data, size_t size, off_t to)
ON_FD(ssize_t, pwrite64, 1, (fd, data, size, to), const void *data, size_t size, off64_t to)
ON_FD(ssize_t, writev, 1, (fd, data, count), const struct iovec *data, int count)
ON_FD(int, fsync, 1, (fd))
ON_FD(int, fdatasync, 1, (fd))
ON_FD(int, ftruncate, 1, (fd, size), off_t size)
ON_FD(int, ftruncate64, 1, (fd, size), off64_t size)
ON_FD(int, fchmod, 0, (fd, mode), mode_t mode)
ON_FD(int, fchown, 0, (fd, owner, group), uid_t owner, gid_t group)

int close(int fd) {
    REAL(close);
    int ours = held(fd);
    if (fd >= 0 && fd < FDS) watched[fd] = 0;
    if (ours && fails("close", NULL, 0)) { int said = errno; real(fd); errno = said; return -1; }
    return real(fd);
}

#define PATH(name, room, at, given, ...)                                              \
    int name(__VA_ARGS__) {                                                           \
        REAL(name);                                                                   \
        if (below(at, path) && fails(#name, path, room)) return -1;                   \
        return real given;                                                            \
    }
PATH(unlink, 0, AT_FDCWD, (path), const char *path)
PATH(unlinkat, 0, at, (at, path, flags), int at, const char *path, int flags)
PATH(rmdir, 0, AT_FDCWD, (path), const char *path)
PATH(mkdir, 1, AT_FDCWD, (path, mode), const char *path, mode_t mode)
PATH(chmod, 0, AT_FDCWD, (path, mode), const char *path, mode_t mode)
PATH(chown, 0, AT_FDCWD, (path, owner, group), const char *path, uid_t owner, gid_t group)
PATH(rename, 0, AT_FDCWD, (path, to), const char *path, const char *to)
PATH(renameat, 0, at, (at, path, other, to), int at, const char *path, int other, const char *to)
