/* The thread pointer is an ordinary variable that the modeled kernel changes when it switches threads; a macro,
 * so that no integer-to-pointer cast appears. */
struct __pthread;
extern struct __pthread *__homi_thread_pointer;
#define __get_tp() (__homi_thread_pointer)

/* Only a signal handler for cancellation would look at the interrupted program counter. */
#define MC_PC gregs[REG_RIP]
