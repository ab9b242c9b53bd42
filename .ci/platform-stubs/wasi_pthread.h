typedef struct {
  union {
    int __i[6];
    volatile int __vi[6];
    volatile void *volatile __p[6];
  } __u;
} pthread_mutex_t;
typedef struct { unsigned content; } pthread_mutexattr_t;
typedef unsigned pthread_key_t;
typedef struct __pthread *pthread_t;

int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutexattr_destroy(pthread_mutexattr_t *);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_key_create(pthread_key_t *, void (*)(void *));
void *pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *);
pthread_t pthread_self(void);
#define PTHREAD_MUTEX_RECURSIVE 1
