/* Functions of instrumented programs (--coverage, -pg, -finstrument-functions, -fsanitize-coverage): they do nothing, since
 * homi has separate counters, and files of counters are not part of the program's behavior. */
#include <stdint.h>

void llvm_gcov_init(void *write, void *reset) {}
void llvm_gcda_start_file(const char *name, uint32_t version, uint32_t checksum) {}
void llvm_gcda_emit_function(uint32_t number, uint32_t checksum, uint32_t other) {}
void llvm_gcda_emit_arcs(uint32_t count, uint64_t *counters) {}
void llvm_gcda_summary_info(void) {}
void llvm_gcda_end_file(void) {}
void mcount(void) {}
void __fentry__(void) {}
void __cyg_profile_func_enter(void *function, void *caller) {}
void __cyg_profile_func_exit(void *function, void *caller) {}
void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {}
void __sanitizer_cov_trace_pc_guard_init(uint32_t *first, uint32_t *last) {}
