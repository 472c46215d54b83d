/* Scheduling among the attributes of posix_spawn, which musl refuses: kept where glibc and musl have room for it. */
#include <errno.h>
#include <sched.h>
#include <spawn.h>

int posix_spawnattr_getschedparam(const posix_spawnattr_t *restrict attributes, struct sched_param *restrict parameter)
{
	parameter->sched_priority = attributes->__prio;
	return 0;
}

int posix_spawnattr_setschedparam(posix_spawnattr_t *restrict attributes, const struct sched_param *restrict parameter)
{
	attributes->__prio = parameter->sched_priority;
	return 0;
}

int posix_spawnattr_getschedpolicy(const posix_spawnattr_t *restrict attributes, int *restrict policy)
{
	*policy = attributes->__pol;
	return 0;
}

int posix_spawnattr_setschedpolicy(posix_spawnattr_t *attributes, int policy)
{
	if (policy < SCHED_OTHER || policy > SCHED_RR) return EINVAL;
	attributes->__pol = policy;
	return 0;
}
