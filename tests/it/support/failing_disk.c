/*
 * Makes the disk of one program fail: loaded before libc (LD_PRELOAD), it fails what changes files below the folder
 * FAILING_DISK_FOLDER while the file FAILING_DISK_ORDER exists. The first word of that file says what fails:
 *   full    growing a file: ENOSPC, after as much as fits into the last page
 *   write   every write: EIO
 *   sync    every fsync and fdatasync: EIO
 *   frozen  every write and sync: EROFS, as on a file system that was mounted read-only
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum order { NONE, FULL, WRITE, SYNC, FROZEN };

static enum order order_now(void) {
    const char *path = getenv("FAILING_DISK_ORDER");
    char word[16] = {0};
    if (path == NULL) return NONE;
    int kept = errno;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) {
        errno = kept;
        return NONE;
    }
    ssize_t got = syscall(SYS_read, file, word, sizeof word - 1);
    syscall(SYS_close, file);
    errno = kept;
    if (got <= 0) return NONE;
    word[strcspn(word, " \n")] = 0;
    if (strcmp(word, "full") == 0) return FULL;
    if (strcmp(word, "write") == 0) return WRITE;
    if (strcmp(word, "sync") == 0) return SYNC;
    if (strcmp(word, "frozen") == 0) return FROZEN;
    return NONE;
}

static int is_on_disk(int file) {
    const char *folder = getenv("FAILING_DISK_FOLDER");
    char link[64], path[PATH_MAX];
    if (folder == NULL) return 0;
    int kept = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = kept;
    if (length <= 0) return 0;
    path[length] = 0;
    size_t prefix = strlen(folder);
    return strncmp(path, folder, prefix) == 0 && path[prefix] == '/';
}

/* How many of `count` bytes at `offset` may be written; -1 with errno when none. */
static ssize_t allowed(int file, size_t count, off_t offset) {
    enum order order = order_now();
    if (order == NONE || order == SYNC || !is_on_disk(file)) return (ssize_t)count;
    if (order == FULL) {
        struct stat seen;
        if (fstat(file, &seen) != 0) return -1;
        off_t start = offset < 0 ? seen.st_size : offset;
        off_t end = (seen.st_size + 4095) / 4096 * 4096;
        if (start + (off_t)count <= end) return (ssize_t)count;
        if (start < end) return (ssize_t)(end - start);
        errno = ENOSPC;
        return -1;
    }
    errno = order == FROZEN ? EROFS : EIO;
    return -1;
}

static int sync_fails(int file) {
    enum order order = order_now();
    if ((order != SYNC && order != FROZEN) || !is_on_disk(file)) return 0;
    errno = order == FROZEN ? EROFS : EIO;
    return 1;
}

static size_t total(const struct iovec *parts, int count) {
    size_t sum = 0;
    for (int part = 0; part < count; part++) sum += parts[part].iov_len;
    return sum;
}

#define NEXT(type, name, ...)                       \
    static type (*next)(__VA_ARGS__);               \
    if (next == NULL) next = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* Where a write without an offset goes; -1 for the end. */
static off_t place_of(int file) {
    int flags = fcntl(file, F_GETFL);
    return flags >= 0 && (flags & O_APPEND) != 0 ? -1 : lseek(file, 0, SEEK_CUR);
}

ssize_t write(int file, const void *bytes, size_t count) {
    NEXT(ssize_t, "write", int, const void *, size_t);
    if (order_now() == NONE || !is_on_disk(file)) return next(file, bytes, count);
    ssize_t may = allowed(file, count, place_of(file));
    return may < 0 ? -1 : next(file, bytes, (size_t)may);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    NEXT(ssize_t, "pwrite", int, const void *, size_t, off_t);
    ssize_t may = allowed(file, count, offset);
    return may < 0 ? -1 : next(file, bytes, (size_t)may, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) {
    NEXT(ssize_t, "pwrite64", int, const void *, size_t, off_t);
    ssize_t may = allowed(file, count, offset);
    return may < 0 ? -1 : next(file, bytes, (size_t)may, offset);
}

/* Of several parts all are written or none, which callers accept. */
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
    NEXT(ssize_t, "pwritev", int, const struct iovec *, int, off_t);
    ssize_t may = allowed(file, total(parts, count), offset);
    if (may >= 0 && (size_t)may < total(parts, count)) errno = ENOSPC, may = -1;
    return may < 0 ? -1 : next(file, parts, count, offset);
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off_t offset) {
    return pwritev(file, parts, count, offset);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    NEXT(ssize_t, "writev", int, const struct iovec *, int);
    if (order_now() == NONE || !is_on_disk(file)) return next(file, parts, count);
    ssize_t may = allowed(file, total(parts, count), place_of(file));
    if (may >= 0 && (size_t)may < total(parts, count)) errno = ENOSPC, may = -1;
    return may < 0 ? -1 : next(file, parts, count);
}

static int grow_fails(int file, off_t length) {
    if (length <= 0) return 0;
    ssize_t may = allowed(file, (size_t)length, 0);
    if (may >= 0 && may < length) errno = ENOSPC;
    return may < length;
}

int ftruncate(int file, off_t length) {
    NEXT(int, "ftruncate", int, off_t);
    return grow_fails(file, length) ? -1 : next(file, length);
}

int ftruncate64(int file, off_t length) {
    NEXT(int, "ftruncate64", int, off_t);
    return grow_fails(file, length) ? -1 : next(file, length);
}

int fallocate(int file, int mode, off_t offset, off_t length) {
    NEXT(int, "fallocate", int, int, off_t, off_t);
    return grow_fails(file, offset + length) ? -1 : next(file, mode, offset, length);
}

/* This one answers with the error itself. */
int posix_fallocate(int file, off_t offset, off_t length) {
    NEXT(int, "posix_fallocate", int, off_t, off_t);
    return grow_fails(file, offset + length) ? errno : next(file, offset, length);
}

int posix_fallocate64(int file, off_t offset, off_t length) {
    return posix_fallocate(file, offset, length);
}

int fsync(int file) {
    NEXT(int, "fsync", int);
    return sync_fails(file) ? -1 : next(file);
}

int fdatasync(int file) {
    NEXT(int, "fdatasync", int);
    return sync_fails(file) ? -1 : next(file);
}
