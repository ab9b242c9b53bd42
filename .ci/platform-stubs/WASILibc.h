// `long` has 32 bits there, but `size_t` and `ssize_t` are `Int` all the same. Structures have names of their own in C,
// since Foundation's modules bring those of Linux along.
#define SWIFT_NAME(name) __attribute__((swift_name(name)))
typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;
typedef long long off_t, time_t;
typedef unsigned long long dev_t, ino_t, nlink_t;
typedef unsigned int mode_t, uid_t, gid_t, useconds_t;

struct SWIFT_NAME("timespec") wasi_timespec {
  time_t tv_sec;
  long tv_nsec;
};

struct SWIFT_NAME("stat") wasi_stat {
  dev_t st_dev;
  ino_t st_ino;
  nlink_t st_nlink;
  mode_t st_mode;
  uid_t st_uid;
  gid_t st_gid;
  off_t st_size;
  struct wasi_timespec st_atim, st_mtim, st_ctim;
};

// fcntl.h, without the macros that Swift does not import: O_APPEND, O_CREAT, O_EXCL, O_NONBLOCK, O_RDWR, O_WRONLY
#define O_RDONLY (0x04000000)
#define O_NOFOLLOW (0x01000000)
#define O_CLOEXEC (0)
#define O_NOCTTY (0)

// unistd.h, sys/stat.h
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
off_t lseek(int, off_t, int);
int fsync(int);
int ftruncate(int, off_t);
int isatty(int);
int wasi_fstat(int, struct wasi_stat *) SWIFT_NAME("fstat(_:_:)");
int wasi_stat(const char *, struct wasi_stat *) SWIFT_NAME("stat(_:_:)");
ssize_t readlink(const char *, char *, size_t);
int link(const char *, const char *);
int unlink(const char *);
int access(const char *, int);
int usleep(useconds_t);
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define W_OK 2

// stdlib.h, stdio.h, string.h
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
int posix_memalign(void **, size_t, size_t);
char *getenv(const char *);
int atexit(void (*)(void));
int rename(const char *, const char *);
int vsnprintf(char *, size_t, const char *, __builtin_va_list);
char *strerror(int);

// errno.h, without EWOULDBLOCK, which Swift does not import
#define EACCES 2
#define EAGAIN 6
#define EEXIST 20
#define EFBIG 22
#define EINTR 27
#define EIO 29
#define ENAMETOOLONG 37
#define ENODEV 43
#define ENOENT 44
#define ENOMEM 48
#define ENOSPC 51
#define ENOTSUP 58
#define EPERM 63
#define EPIPE 64
#define EROFS 69
