/* The resolver's names that glibc has besides musl's: second names of <resolv.h>, the family with a state of its own, and the
 * checks of names. Nothing here asks a network. */
#include <ctype.h>
#include <resolv.h>
#include <string.h>

int __res_init(void) { return res_init(); }
void __res_close(void) {}
void __res_nclose(struct __res_state *state) { (void)state; }

int __res_ninit(struct __res_state *state)
{
	memset(state, 0, sizeof *state);
	state->retrans = 5;
	state->retry = 2;
	state->options = 0x2c1; /* RES_DEFAULT and RES_INIT of glibc */
	state->ndots = 1;
	return 0;
}

int res_nmkquery(struct __res_state *state, int op, const char *name, int class, int type, const unsigned char *data,
                 int n, const unsigned char *newrr, unsigned char *to, int room)
{
	(void)state;
	return res_mkquery(op, name, class, type, data, n, newrr, to, room);
}
int res_nquery(struct __res_state *state, const char *name, int class, int type, unsigned char *to, int room)
{
	(void)state;
	return res_query(name, class, type, to, room);
}
int res_nsearch(struct __res_state *state, const char *name, int class, int type, unsigned char *to, int room)
{
	(void)state;
	return res_search(name, class, type, to, room);
}
int res_nquerydomain(struct __res_state *state, const char *name, const char *domain, int class, int type, unsigned char *to, int room)
{
	(void)state;
	return res_querydomain(name, domain, class, type, to, room);
}
int res_nsend(struct __res_state *state, const unsigned char *from, int n, unsigned char *to, int room)
{
	(void)state;
	return res_send(from, n, to, room);
}

/* Labels without the root's; "*" at the start counts for nothing. */
int __dn_count_labels(const char *name)
{
	int count = 0;
	size_t n = strlen(name), i;
	for (i = 0; i < n; i++) count += name[i] == '.';
	if (name[0] == '*' && count) count--;
	return count + (n > 0 && name[n - 1] != '.');
}

enum { HOST, OWNER, DOMAIN };

static int label_is_fine(const char *p, size_t n, int kind, int first)
{
	size_t i;
	if (kind == OWNER && first && n == 1 && *p == '*') return 1;
	for (i = 0; i < n; i++) {
		unsigned char c = p[i];
		if (kind == DOMAIN ? c < 0x21 || c > 0x7e : !(isalnum(c) || c == '_' || c == '-')) return 0;
	}
	return kind == DOMAIN || p[0] != '-';
}

/* True for a name that dn_comp accepts (labels of up to 63 bytes, 255 in all), with the characters of the kind. */
static int name_is_fine(const char *name, int kind)
{
	const char *p = name;
	unsigned char packed[256];
	int first = 1;
	if (!*name) return 1;
	if (dn_comp(name, packed, sizeof packed, 0, 0) < 0) return 0;
	for (;;) {
		size_t n = strcspn(p, ".");
		if (n == 0) return !p[0] || (p == name && !p[1]);
		if (!label_is_fine(p, n, kind, first)) return 0;
		first = 0;
		if (!p[n]) return 1;
		p += n + 1;
	}
}

int res_hnok(const char *name) { return name_is_fine(name, HOST); }
int res_ownok(const char *name) { return name_is_fine(name, OWNER); }
int res_dnok(const char *name) { return name_is_fine(name, DOMAIN); }
int __res_hnok(const char *name) { return res_hnok(name); }
int __res_ownok(const char *name) { return res_ownok(name); }
int __res_dnok(const char *name) { return res_dnok(name); }
