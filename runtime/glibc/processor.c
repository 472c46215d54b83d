/* CPU features for compilers' support libraries (__builtin_cpu_supports, target_clones): a CPU without any feature, as
 * cpuid in inline assembly reports, so programs take their portable path. */
struct { unsigned vendor, type, subtype, features; } __cpu_model;
unsigned __cpu_features2[8];

int __cpu_indicator_init(void) { return 0; }
