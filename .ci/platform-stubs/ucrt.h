typedef __SIZE_TYPE__ size_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef int errno_t;

// io.h
int _open_osfhandle(intptr_t, int);
intptr_t _get_osfhandle(int);
int _close(int);
int _commit(int);
errno_t _chsize_s(int, long long);
int _isatty(int);
long long _lseeki64(int, long long, int);

// stdlib.h, stdio.h, string.h
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
int atexit(void (*)(void));
int vsnprintf(char *, size_t, const char *, __builtin_va_list);
errno_t strerror_s(char *, size_t, int);

// errno.h
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define ENODEV 19
#define EFBIG 27
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EPIPE 32
#define ENAMETOOLONG 38
#define ENOTSUP 129
