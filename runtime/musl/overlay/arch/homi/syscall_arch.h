/* The one door from libc to the modeled kernel: every system call becomes an ordinary call of
 * __homi_syscall, which runtime/kernel defines. The wrappers vanish when libc.bc is built (always_inline),
 * so a stack trace shows read() and not five layers of macros. There is no VDSO. */
#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)

long __homi_syscall(long number, long a1, long a2, long a3, long a4, long a5, long a6);

#define HOMI_SYSCALL_WRAPPER static inline __attribute__((__always_inline__, __unused__)) long

HOMI_SYSCALL_WRAPPER __syscall0(long n) { return __homi_syscall(n, 0, 0, 0, 0, 0, 0); }
HOMI_SYSCALL_WRAPPER __syscall1(long n, long a) { return __homi_syscall(n, a, 0, 0, 0, 0, 0); }
HOMI_SYSCALL_WRAPPER __syscall2(long n, long a, long b) { return __homi_syscall(n, a, b, 0, 0, 0, 0); }
HOMI_SYSCALL_WRAPPER __syscall3(long n, long a, long b, long c) { return __homi_syscall(n, a, b, c, 0, 0, 0); }
HOMI_SYSCALL_WRAPPER __syscall4(long n, long a, long b, long c, long d)
{
	return __homi_syscall(n, a, b, c, d, 0, 0);
}
HOMI_SYSCALL_WRAPPER __syscall5(long n, long a, long b, long c, long d, long e)
{
	return __homi_syscall(n, a, b, c, d, e, 0);
}
HOMI_SYSCALL_WRAPPER __syscall6(long n, long a, long b, long c, long d, long e, long f)
{
	return __homi_syscall(n, a, b, c, d, e, f);
}

#undef HOMI_SYSCALL_WRAPPER

/* The kernel's 64-bit layout of System V IPC structures. */
#define IPC_64 0
