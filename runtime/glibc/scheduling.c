/* sched_*: the kernel's answers, which musl refuses to ask for. */
#include <sched.h>
#include <sys/types.h>
#include "syscall.h"

int sched_getscheduler(pid_t process) { return syscall(SYS_sched_getscheduler, process); }
int sched_getparam(pid_t process, struct sched_param *to) { return syscall(SYS_sched_getparam, process, to); }
int sched_setparam(pid_t process, const struct sched_param *from) { return syscall(SYS_sched_setparam, process, from); }
int sched_setscheduler(pid_t process, int policy, const struct sched_param *from)
{
	return syscall(SYS_sched_setscheduler, process, policy, from);
}
