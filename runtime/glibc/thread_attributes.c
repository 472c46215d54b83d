/* Attributes of threads and locks that glibc has and musl lacks. An attribute points to the processors and to the mask of signals
 * that were set for it. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pthread_impl.h"

struct processors { size_t size; unsigned char bits[]; };
/* What musl's own attributes leave free of the object. */
struct extension { struct processors *processors; sigset_t *mask; };
enum { FREE_AT = sizeof(pthread_attr_t) - sizeof(struct extension) };

static struct extension *of(const pthread_attr_t *attributes) { return (struct extension *)((char *)attributes + FREE_AT); }

int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *set)
{
	struct extension *to = of(attributes);
	struct processors *made = 0;
	if (set && size) {
		made = malloc(sizeof *made + size);
		if (!made) return ENOMEM;
		made->size = size;
		memcpy(made->bits, set, size);
	}
	free(to->processors);
	to->processors = made;
	return 0;
}

int pthread_attr_getaffinity_np(const pthread_attr_t *attributes, size_t size, cpu_set_t *set)
{
	const struct processors *from = of(attributes)->processors;
	memset(set, from ? 0 : -1, size);
	if (!from) return 0;
	for (size_t i = size; i < from->size; i++)
		if (from->bits[i]) return EINVAL;
	memcpy(set, from->bits, size < from->size ? size : from->size);
	return 0;
}

int pthread_attr_setsigmask_np(pthread_attr_t *attributes, const sigset_t *mask)
{
	struct extension *to = of(attributes);
	if (!mask) {
		free(to->mask);
		to->mask = 0;
		return 0;
	}
	if (!to->mask) to->mask = malloc(sizeof *mask);
	if (!to->mask) return ENOMEM;
	memcpy(to->mask, mask, sizeof *mask);
	return 0;
}

int pthread_attr_getsigmask_np(const pthread_attr_t *attributes, sigset_t *mask)
{
	const sigset_t *from = of(attributes)->mask;
	if (!from) {
		sigemptyset(mask);
		return -1; /* glibc's PTHREAD_ATTR_NO_SIGMASK_NP */
	}
	memcpy(mask, from, sizeof *mask);
	return 0;
}

/* The mask of a new thread, where its attributes have one. */
void __homi_initial_mask(const pthread_attr_t *attributes, unsigned long *mask)
{
	if (of(attributes)->mask) memcpy(mask, of(attributes)->mask, _NSIG / 8);
}

int pthread_attr_destroy(pthread_attr_t *attributes)
{
	free(of(attributes)->processors);
	free(of(attributes)->mask);
	memset(of(attributes), 0, sizeof(struct extension));
	return 0;
}

int pthread_attr_setstackaddr(pthread_attr_t *attributes, void *address)
{
	attributes->_a_stackaddr = (uintptr_t)address;
	return 0;
}

int pthread_attr_getstackaddr(const pthread_attr_t *attributes, void **address)
{
	*address = (void *)attributes->_a_stackaddr;
	return 0;
}

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind)
{
	if (kind < 0 || kind > 2) return EINVAL;
	attributes->__attr[1] = kind;
	return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attributes, int *kind)
{
	*kind = attributes->__attr[1];
	return 0;
}

int pthread_sigqueue(pthread_t thread, int signal, const union sigval value)
{
	siginfo_t info = { .si_signo = signal, .si_code = SI_QUEUE };
	if (signal == 32 || signal == 33) return EINVAL; /* glibc's own */
	info.si_value = value;
	info.si_pid = getpid();
	info.si_uid = getuid();
	return thread->tid ? -__syscall(SYS_rt_tgsigqueueinfo, getpid(), thread->tid, signal, &info) : 0;
}
