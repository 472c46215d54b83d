#include <math.h>
#include <stdint.h>
#include "homi_fmod.h"

HOMI_FMOD(fmodf, float, uint32_t, 23, 0xff, __builtin_fmodf, __builtin_copysignf)
