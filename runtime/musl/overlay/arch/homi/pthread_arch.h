/* The thread pointer is the address of one ordinary global (the only thread's control block), written as a
 * macro so that no integer-to-pointer cast appears. Defined in env/homi/__init_tls.c. */
struct __pthread;
extern __attribute__((__visibility__("hidden"))) struct __pthread __homi_main_thread;
#define __get_tp() (&__homi_main_thread)

/* Only a signal handler for cancellation would look at the interrupted program counter. */
#define MC_PC gregs[REG_RIP]
