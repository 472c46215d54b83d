/* Mutexes in glibc's layout, so that its static initializers make the same kinds, and with its answers: robust mutexes, priority
 * protocols, refusals. The lock has the number of the thread that holds it; no other thread runs while these functions look at it.
 *
 * All threads of the model have the same priority, so who waits for a mutex that inherits waits as for any other. One that protects
 * needs a priority that an ordinary thread may not take: glibc refuses it once, and the next time believes that it was given. */
#include <limits.h>
#include <stddef.h>
#include <threads.h>
#include "pthread_impl.h"

enum { RECURSIVE = 1, CHECKED = 2, LAST_TYPE = 3, TYPE = 3, ROBUST = 16, INHERITS = 32, PROTECTS = 64, SHARED = 128, UNELIDED = 512 };
enum { KNOWN = TYPE | ROBUST | INHERITS | PROTECTS | SHARED | UNELIDED, DESTROYED = -1 };
enum { HOLDER = 0x3fffffff, OWNER_DIED = 0x40000000, WAITERS = INT_MIN, INCONSISTENT = INT_MAX, LOST = INT_MAX - 1 };
/* Of attributes: as musl's functions that only ask have them, and the ceiling. */
enum { WISHES_ROBUST = 4, WISHES_PROTOCOL = 8, WISHES_SHARED = 128, CEILING = 12, LOWEST = 1, HIGHEST = 99, NO_PROTOCOL = 3 };

/* ---- locking ---- */

static int is_held(pthread_mutex_t *m) { return (m->_m_lock & HOLDER) == __pthread_self()->tid; }

static void release(pthread_mutex_t *m)
{
	int old = m->_m_lock;
	m->_m_lock = 0;
	if (old & WAITERS) __wake(&m->_m_lock, 1, 1);
}

/* Robust mutexes that a thread holds when it ends are found in its list. */
static void enlist(pthread_mutex_t *m)
{
	pthread_t self = __pthread_self();
	if (!(m->_m_type & ROBUST)) return;
	m->_m_next = self->robust_list.head;
	self->robust_list.head = &m->_m_next;
}

static void delist(pthread_mutex_t *m)
{
	pthread_t self = __pthread_self();
	volatile void *volatile *link = &self->robust_list.head;
	while (*link != &m->_m_next && *link != &self->robust_list.head) link = (volatile void *volatile *)*link;
	if (*link == &m->_m_next) *link = m->_m_next;
}

static int reach_ceiling(pthread_mutex_t *m)
{
	pthread_t self = __pthread_self();
	if (!(m->_m_type & PROTECTS) || m->_m_ceiling <= self->most_ceiling) return 0;
	self->most_ceiling = m->_m_ceiling;
	return EINVAL;
}

static int lock_again(pthread_mutex_t *m, int tries)
{
	if ((m->_m_type & TYPE) == RECURSIVE) {
		if (m->_m_count == -1) return EAGAIN;
		m->_m_count++;
		return 0;
	}
	if ((m->_m_type & TYPE) == CHECKED && (!tries || m->_m_type & (ROBUST | INHERITS | PROTECTS))) return EDEADLK;
	return -1;
}

/* Until it is free: 0 or an error. What is written then says whether others wait still. */
static int wait(pthread_mutex_t *m, clockid_t clock, const struct timespec *until, int tries)
{
	int more = 0;
	while (m->_m_lock & HOLDER) {
		int error;
		if (tries) return EBUSY;
		m->_m_lock |= WAITERS;
		error = __timedwait(&m->_m_lock, m->_m_lock, clock, until, 1);
		if (error && error != EINTR) return error;
		more = WAITERS;
	}
	m->_m_lock |= __pthread_self()->tid | more;
	return 0;
}

static int lock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until, int tries)
{
	int error = -1;
	if (m->_m_type & ~KNOWN) return EINVAL;
	if (is_held(m)) error = lock_again(m, tries);
	if (error < 0) error = reach_ceiling(m);
	else return error;
	if (!error) error = wait(m, clock, until, tries);
	if (error) return error;
	if (m->_m_lock & OWNER_DIED) {
		m->_m_lock &= ~OWNER_DIED;
		m->_m_count = 1;
		m->_m_owner = INCONSISTENT;
		enlist(m);
		return EOWNERDEAD;
	}
	if (m->_m_type & ROBUST && m->_m_owner == LOST) {
		/* glibc's pthread_mutex_trylock keeps it. */
		if (!tries || m->_m_type & INHERITS) release(m);
		return ENOTRECOVERABLE;
	}
	m->_m_owner = __pthread_self()->tid;
	if ((m->_m_type & TYPE) == RECURSIVE) m->_m_count = 1;
	m->_m_users++;
	enlist(m);
	return 0;
}

int __pthread_mutex_lock(pthread_mutex_t *m) { return lock(m, CLOCK_REALTIME, 0, 0); }
int __pthread_mutex_trylock(pthread_mutex_t *m) { return lock(m, CLOCK_REALTIME, 0, 1); }
int __pthread_mutex_timedlock(pthread_mutex_t *restrict m, const struct timespec *restrict until)
{
	return lock(m, CLOCK_REALTIME, until, 0);
}
int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	return clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC ? EINVAL : lock(m, clock, until, 0);
}
weak_alias(__pthread_mutex_lock, pthread_mutex_lock);
weak_alias(__pthread_mutex_trylock, pthread_mutex_trylock);
weak_alias(__pthread_mutex_timedlock, pthread_mutex_timedlock);

/* Returns the error of an unlock; 0 if it is permitted. */
hidden int __homi_mutex_refusal(pthread_mutex_t *m)
{
	if (m->_m_type & ~KNOWN) return EINVAL;
	if (is_held(m)) return 0;
	return m->_m_type & (ROBUST | INHERITS) || (m->_m_type & TYPE) == RECURSIVE || (m->_m_type & TYPE) == CHECKED ? EPERM : 0;
}

int __pthread_mutex_unlock(pthread_mutex_t *m)
{
	int refusal = __homi_mutex_refusal(m), owner = 0;
	if (refusal) return refusal;
	if (m->_m_type & ROBUST && m->_m_owner == INCONSISTENT) owner = LOST;
	else if ((m->_m_type & TYPE) == RECURSIVE && --m->_m_count) return 0;
	if (m->_m_type & ROBUST) delist(m);
	m->_m_owner = owner;
	m->_m_users--;
	release(m);
	return 0;
}
weak_alias(__pthread_mutex_unlock, pthread_mutex_unlock);

/* ---- birth, death and what can be asked ---- */

int pthread_mutex_init(pthread_mutex_t *restrict m, const pthread_mutexattr_t *restrict attributes)
{
	unsigned wishes = attributes ? attributes->__attr : 0, protocol = wishes / WISHES_PROTOCOL & 3;
	if (protocol == PTHREAD_PRIO_PROTECT && wishes & WISHES_ROBUST) return ENOTSUP;
	*m = (pthread_mutex_t){0};
	m->_m_type = (int)(wishes & TYPE) | (wishes & WISHES_ROBUST ? ROBUST : 0) | (wishes & WISHES_SHARED ? SHARED : 0);
	if (protocol == PTHREAD_PRIO_INHERIT) m->_m_type |= INHERITS;
	if (protocol != PTHREAD_PRIO_PROTECT) return 0;
	m->_m_type |= PROTECTS;
	m->_m_ceiling = wishes >> CEILING ? (int)(wishes >> CEILING) : LOWEST;
	return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *m)
{
	if (!(m->_m_type & ROBUST) && m->_m_users) return EBUSY;
	m->_m_type = DESTROYED;
	return 0;
}

int pthread_mutex_consistent(pthread_mutex_t *m)
{
	if (!(m->_m_type & ROBUST) || m->_m_owner != INCONSISTENT) return EINVAL;
	m->_m_owner = __pthread_self()->tid;
	return 0;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *restrict m, int *restrict ceiling)
{
	if (!(m->_m_type & PROTECTS)) return EINVAL;
	*ceiling = m->_m_ceiling;
	return 0;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *restrict m, int ceiling, int *restrict old)
{
	if (!(m->_m_type & PROTECTS) || ceiling < LOWEST || ceiling > HIGHEST) return EINVAL;
	if (old) *old = m->_m_ceiling;
	m->_m_ceiling = ceiling;
	return 0;
}

/* ---- attributes ---- */

int pthread_mutexattr_settype(pthread_mutexattr_t *a, int type)
{
	if ((unsigned)type > LAST_TYPE) return EINVAL;
	a->__attr = (a->__attr & ~TYPE) | type;
	return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *a, int robust)
{
	if (robust & ~1) return EINVAL;
	a->__attr = (a->__attr & ~WISHES_ROBUST) | robust * WISHES_ROBUST;
	return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *a, int protocol)
{
	if ((unsigned)protocol >= NO_PROTOCOL) return EINVAL;
	a->__attr = (a->__attr & ~(3 * WISHES_PROTOCOL)) | protocol * WISHES_PROTOCOL;
	return 0;
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict a, int *restrict protocol)
{
	*protocol = a->__attr / WISHES_PROTOCOL & 3;
	return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *a, int ceiling)
{
	if (ceiling < LOWEST || ceiling > HIGHEST) return EINVAL;
	a->__attr = (a->__attr & ((1u << CEILING) - 1)) | (unsigned)ceiling << CEILING;
	return 0;
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *restrict a, int *restrict ceiling)
{
	*ceiling = a->__attr >> CEILING ? a->__attr >> CEILING : LOWEST;
	return 0;
}

/* ---- C11's ---- */

int mtx_init(mtx_t *m, int type)
{
	pthread_mutexattr_t a = {type & mtx_recursive ? RECURSIVE : 0};
	return pthread_mutex_init((pthread_mutex_t *)m, &a) ? thrd_error : thrd_success;
}

int mtx_lock(mtx_t *m) { return lock((pthread_mutex_t *)m, CLOCK_REALTIME, 0, 0) ? thrd_error : thrd_success; }

int mtx_trylock(mtx_t *m)
{
	int error = lock((pthread_mutex_t *)m, CLOCK_REALTIME, 0, 1);
	return error == EBUSY ? thrd_busy : error ? thrd_error : thrd_success;
}
