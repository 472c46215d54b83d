/* The kernel's own deliveries of signals are not used: see hk_raise in model.c. */
#define hk_raise hk_raise_in_the_model
#include "signal.c"
