/* As in overlay/: every system call becomes a call of __homi_syscall, whose words are 64 bits here, too. The calls
 * that have to do with time are x86-64's, whose times are 64 bits. */
#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)

#define __scc(X) sizeof(1 ? (X) : 0ULL) < 8 ? (unsigned long)(X) : (long long)(X)
typedef long long syscall_arg_t;

long long __homi_syscall(long long number, long long a1, long long a2, long long a3, long long a4, long long a5, long long a6);

#define HOMI_SYSCALL_WRAPPER static inline __attribute__((__always_inline__, __unused__)) long

HOMI_SYSCALL_WRAPPER __syscall0(long long n) { return __homi_syscall(n, 0, 0, 0, 0, 0, 0); }
HOMI_SYSCALL_WRAPPER __syscall1(long long n, long long a) { return __homi_syscall(n, a, 0, 0, 0, 0, 0); }
HOMI_SYSCALL_WRAPPER __syscall2(long long n, long long a, long long b) { return __homi_syscall(n, a, b, 0, 0, 0, 0); }
HOMI_SYSCALL_WRAPPER __syscall3(long long n, long long a, long long b, long long c)
{
	return __homi_syscall(n, a, b, c, 0, 0, 0);
}
HOMI_SYSCALL_WRAPPER __syscall4(long long n, long long a, long long b, long long c, long long d)
{
	return __homi_syscall(n, a, b, c, d, 0, 0);
}
HOMI_SYSCALL_WRAPPER __syscall5(long long n, long long a, long long b, long long c, long long d, long long e)
{
	return __homi_syscall(n, a, b, c, d, e, 0);
}
HOMI_SYSCALL_WRAPPER __syscall6(long long n, long long a, long long b, long long c, long long d, long long e, long long f)
{
	return __homi_syscall(n, a, b, c, d, e, f);
}

#undef HOMI_SYSCALL_WRAPPER

#undef SYS_futimesat

#define SYS_clock_gettime64 SYS_clock_gettime
#define SYS_clock_settime64 SYS_clock_settime
#define SYS_clock_adjtime64 SYS_clock_adjtime
#define SYS_clock_getres_time64 SYS_clock_getres
#define SYS_clock_nanosleep_time64 SYS_clock_nanosleep
#define SYS_timer_gettime64 SYS_timer_gettime
#define SYS_timer_settime64 SYS_timer_settime
#define SYS_timerfd_gettime64 SYS_timerfd_gettime
#define SYS_timerfd_settime64 SYS_timerfd_settime
#define SYS_utimensat_time64 SYS_utimensat
#define SYS_pselect6_time64 SYS_pselect6
#define SYS_ppoll_time64 SYS_ppoll
#define SYS_recvmmsg_time64 SYS_recvmmsg
#define SYS_mq_timedsend_time64 SYS_mq_timedsend
#define SYS_mq_timedreceive_time64 SYS_mq_timedreceive
#define SYS_semtimedop_time64 SYS_semtimedop
#define SYS_rt_sigtimedwait_time64 SYS_rt_sigtimedwait
#define SYS_futex_time64 SYS_futex
#define SYS_sched_rr_get_interval_time64 SYS_sched_rr_get_interval
#define SYS_getrusage_time64 SYS_getrusage
#define SYS_wait4_time64 SYS_wait4

/* The kernel's 64-bit layout of System V IPC structures. */
#define IPC_64 0
