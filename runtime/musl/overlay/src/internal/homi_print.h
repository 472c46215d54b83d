/* Reads a format of printf by glibc's grammar; TEXT is the format's type of character, FLAGMASK and others are
 * vfprintf's. Any modifier goes with any conversion, positions may be mixed with arguments in sequence (these go on
 * counting from the first), and a conversion that does not exist is printed as it was understood. */

#define HOMI_LAST_POSITION 128

struct homi_spec {
	unsigned flags, is_i18n;
	int width, width_at, precision, precision_at; /* positions count from 1; 0 is none, -1 the next argument */
	int at;
	unsigned size, type; /* of musl's states: the modifier and the argument */
	int conversion;
	const TEXT *end;
};

/* A format from its start, and the first of its arguments. */
struct homi_format {
	const TEXT *start;
	va_list *ap;
};

/* Decimal digits as an int; -1 if they are none. */
static int homi_digits(const TEXT **s)
{
	int value = 0;
	for (; **s - '0' < 10U; ++*s) {
		int digit = **s - '0';
		value = value < 0 || value > (INT_MAX - digit) / 10 ? -1 : 10 * value + digit;
	}
	return value;
}

/* A width or a precision that is an argument, after the star. */
static int homi_star(const TEXT **s)
{
	const TEXT *behind = *s;
	int at = homi_digits(&behind);
	if (*behind != '$' || at <= 0) return -1;
	*s = behind + 1;
	return at;
}

static unsigned homi_size(const TEXT **s)
{
	const TEXT *at = *s;
	unsigned size;
	switch (*at) {
	case 'h': size = at[1] == 'h' ? HHPRE : HPRE; break;
	case 'l': size = at[1] == 'l' ? LLPRE : LPRE; break;
	case 'L': case 'q': size = BIGLPRE; break;
	case 'z': case 'Z': case 't': size = ZTPRE; break;
	case 'j': size = JPRE; break;
	default: return BARE;
	}
	*s = at + 1 + (size == HHPRE || size == LLPRE);
	return size;
}

/* The type of a conversion's argument, NOARG if there is none, 0 if the conversion does not exist. */
static unsigned homi_type(int conversion, unsigned size)
{
	static const unsigned char is_signed[] = {
		[BARE] = INT, [LPRE] = LONG, [LLPRE] = LLONG, [HPRE] = SHORT, [HHPRE] = CHAR, [BIGLPRE] = LLONG,
		[ZTPRE] = PDIFF, [JPRE] = IMAX};
	static const unsigned char is_unsigned[] = {
		[BARE] = UINT, [LPRE] = ULONG, [LLPRE] = ULLONG, [HPRE] = USHORT, [HHPRE] = UCHAR, [BIGLPRE] = ULLONG,
		[ZTPRE] = SIZET, [JPRE] = UMAX};
	switch (conversion) {
	case 'd': case 'i': return is_signed[size];
	case 'o': case 'u': case 'x': case 'X': case 'b': case 'B': return is_unsigned[size];
	case 'e': case 'f': case 'g': case 'a': case 'E': case 'F': case 'G': case 'A':
		return size == LLPRE || size == BIGLPRE ? LDBL : DBL;
	case 'c': case 'C': return INT;
	case 's': case 'S': case 'n': return PTR;
	case 'p': return UIPTR;
	case 'm': case '%': return NOARG;
	}
	return 0;
}

/* Reads a specification, after its percent sign; gives 0 if a width or a precision is too large. */
static int homi_spec(const TEXT *s, struct homi_spec *spec)
{
	const TEXT *behind = s;
	int at = homi_digits(&behind);
	*spec = (struct homi_spec){.precision = -1};
	if (*behind == '$' && at > 0) spec->at = at, s = behind + 1;
	for (; *s == 'I' || ((unsigned)*s-' '<32 && (FLAGMASK&(1U<<*s-' '))); s++) {
		if (*s == 'I') spec->is_i18n = 1;
		else spec->flags |= 1U<<*s-' ';
	}
	if (spec->flags & LEFT_ADJ) spec->flags &= ~ZERO_PAD;
	if (*s == '*') s++, spec->width_at = homi_star(&s);
	else if ((spec->width = homi_digits(&s)) < 0) return 0;
	if (*s == '.' && s[1] == '*') s += 2, spec->precision_at = homi_star(&s);
	else if (*s == '.' && (s++, spec->precision = homi_digits(&s)) < 0) return 0;
	spec->size = homi_size(&s);
	spec->conversion = *s;
	spec->type = homi_type(*s, spec->size);
	spec->end = s + !!*s;
	return 1;
}

/* True if a specification has positions or is invalid: then all arguments are looked up. */
static int homi_is_positional(const struct homi_spec *spec)
{
	return spec->at || spec->width_at > 0 || spec->precision_at > 0 || (!spec->type && spec->conversion);
}

/* Positions for what has none: the next ones. */
static void homi_number(struct homi_spec *spec, int *next)
{
	if (spec->width_at < 0) spec->width_at = ++*next;
	if (spec->precision_at < 0) spec->precision_at = ++*next;
	if (!spec->at && spec->type && spec->type != NOARG) spec->at = ++*next;
}

static int homi_is_int(unsigned type)
{
	return type == SHORT || type == USHORT || type == CHAR || type == UCHAR || type == UINT;
}

/* An argument of a position, of which two specifications may take different parts. */
static union arg homi_narrowed(union arg arg, unsigned type)
{
	if (type == SHORT) arg.i = (short)arg.i;
	if (type == USHORT) arg.i = (unsigned short)arg.i;
	if (type == CHAR) arg.i = (signed char)arg.i;
	if (type == UCHAR) arg.i = (unsigned char)arg.i;
	if (type == UINT) arg.i = (unsigned)arg.i;
	return arg;
}

/* All arguments of a format by position, taken in order. */
static int homi_arguments(const TEXT *s, union arg *args, va_list *ap)
{
	unsigned char types[HOMI_LAST_POSITION + 1] = {0};
	struct homi_spec spec;
	int next = 0, last = 0, i;
	while (*s) {
		if (*s++ != '%') continue;
		if (!homi_spec(s, &spec)) return 0;
		homi_number(&spec, &next);
		if (spec.at > HOMI_LAST_POSITION || spec.width_at > HOMI_LAST_POSITION || spec.precision_at > HOMI_LAST_POSITION)
			return 0;
		if (spec.width_at) types[spec.width_at] = INT;
		if (spec.precision_at) types[spec.precision_at] = INT;
		if (spec.type && spec.type != NOARG) types[spec.at] = homi_is_int(spec.type) ? INT : spec.type;
		for (i = last + 1; i <= next || i <= spec.at || i <= spec.width_at || i <= spec.precision_at; i++) last = i;
		s = spec.end;
	}
	for (i = 1; i <= last; i++) pop_arg(args + i, types[i] ? types[i] : INT, ap);
	return 1;
}

/* A specification that is none, as text; gives its length. */
static int homi_unknown(TEXT *to, const struct homi_spec *spec)
{
	static const char flags[] = "#'+ -0I";
	const unsigned had = spec->flags;
	const unsigned has[] = {had & ALT_FORM, had & GROUPED, had & MARK_POS, (had & PAD_POS) && !(had & MARK_POS),
		had & LEFT_ADJ, had & ZERO_PAD, spec->is_i18n};
	TEXT digits[12], *from = to;
	int i, number, k;
	*to++ = '%';
	for (i = 0; i < 7; i++) if (has[i]) *to++ = flags[i];
	for (i = 0; i < 2; i++) {
		number = i ? spec->precision : spec->width;
		if (i ? number < 0 : number == 0) continue;
		if (i) *to++ = '.';
		k = 0;
		do digits[k++] = '0' + number % 10; while (number /= 10);
		while (k) *to++ = digits[--k];
	}
	if (spec->conversion) *to++ = spec->conversion;
	return to - from;
}

const char *strerrorname_np(int number);

/* %#m: the name of an error, or its number. */
static const char *homi_error_name(int number, char *room, size_t size)
{
	const char *name = strerrorname_np(number);
	if (name) return name;
	snprintf(room, size, "%d", number);
	return room;
}
