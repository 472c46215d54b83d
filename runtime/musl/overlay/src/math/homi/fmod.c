#include <math.h>
#include <stdint.h>
#include "homi_fmod.h"

HOMI_FMOD(fmod, double, uint64_t, 52, 0x7ff, __builtin_fmod, __builtin_copysign)
