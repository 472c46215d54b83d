/* As homi_fmod.h says, for the format with a stored integer bit. */
#include "libm.h"

long double fmodl(long double x, long double y)
{
	union ldshape ux = {x}, uy = {y};
	int ex = ux.i.se & 0x7fff, ey = uy.i.se & 0x7fff;
	if (uy.i.m != 1ULL << 63 || !ey || ey == 0x7fff || ex == 0x7fff) return __builtin_fmodl(x, y);
	if (ex < ey) return x;
	if (ex - ey < 63) ux.i.m &= ~((1ULL << 63 >> (ex - ey)) - 1);
	return __builtin_copysignl(x - ux.f, x);
}
