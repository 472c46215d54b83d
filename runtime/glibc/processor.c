/* What compilers' support libraries know of the processor (__builtin_cpu_supports, target_clones): one without any feature, as
 * cpuid in inline assembly says, so programs take their portable path. */
struct { unsigned vendor, type, subtype, features; } __cpu_model;
unsigned __cpu_features2[8];

int __cpu_indicator_init(void) { return 0; }
