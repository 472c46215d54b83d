/* Internet and hardware addresses as text, and the resolver's messages, where glibc and musl disagree: trailing blanks,
 * classes of networks, leading zeros, wording. */
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <ctype.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One to four numbers (decimal, octal, hexadecimal), the last fills the bytes that are left; blanks may follow. */
int __inet_aton(const char *s, struct in_addr *to)
{
	unsigned long parts[4], value = 0;
	int count = 0, i;
	for (;;) {
		char *end;
		if (!isdigit((unsigned char)*s)) return 0;
		parts[count] = strtoul(s, &end, 0);
		if (end == s || parts[count] > 0xffffffff) return 0;
		s = end;
		count++;
		if (*s != '.') break;
		if (count == 4) return 0;
		s++;
	}
	if (*s && !isspace((unsigned char)*s)) return 0;
	for (i = 0; i < count - 1; i++) {
		if (parts[i] > 255) return 0;
		value |= parts[i] << (24 - 8 * i);
	}
	if (parts[i] > 0xffffffff >> (8 * i)) return 0;
	to->s_addr = htonl((uint32_t)(value | parts[i]));
	return 1;
}

int inet_aton(const char *s, struct in_addr *to) { return __inet_aton(s, to); }

/* Up to four bytes, the last is the lowest; in host order. */
in_addr_t inet_network(const char *s)
{
	in_addr_t value = 0;
	int count = 0;
	do {
		char *end;
		unsigned long part;
		if (count && !*s) break;
		if (!isdigit((unsigned char)*s)) return INADDR_NONE;
		part = strtoul(s, &end, 0);
		if (end == s || part > 255 || count++ == 4) return INADDR_NONE;
		value = value << 8 | (in_addr_t)part;
		s = end;
	} while (*s == '.' && s++);
	while (isspace((unsigned char)*s)) s++;
	return *s ? INADDR_NONE : value;
}

/* Bits of the host's part by the class of the network. */
static int host_bits(in_addr_t address) { return address < 0x80000000 ? 24 : address < 0xc0000000 ? 16 : 8; }

struct in_addr inet_makeaddr(in_addr_t net, in_addr_t host)
{
	int bits = net < 128 ? 24 : net < 65536 ? 16 : net < 1 << 24 ? 8 : 0;
	struct in_addr address = {htonl(bits ? net << bits | (host & ((1u << bits) - 1)) : net | host)};
	return address;
}

in_addr_t inet_netof(struct in_addr address)
{
	in_addr_t value = ntohl(address.s_addr);
	return value >> host_bits(value);
}

in_addr_t inet_lnaof(struct in_addr address)
{
	in_addr_t value = ntohl(address.s_addr);
	return value & ((1u << host_bits(value)) - 1);
}

static int hexadecimal(int c) { return isdigit(c) ? c - '0' : isxdigit(c) ? (c | 32) - 'a' + 10 : -1; }

/* Text after the two digits of the last byte is ignored. */
struct ether_addr *ether_aton_r(const char *s, struct ether_addr *to)
{
	int i;
	for (i = 0; i < 6; i++) {
		int high = hexadecimal((unsigned char)*s++), low = hexadecimal((unsigned char)*s);
		int at_end = i == 5 ? !*s || isspace((unsigned char)*s) : *s == ':';
		if (high < 0 || (!at_end && low < 0)) return 0;
		if (!at_end) high = high * 16 + low, s++;
		if (i < 5 && *s++ != ':') return 0;
		to->ether_addr_octet[i] = (uint8_t)high;
	}
	return to;
}

struct ether_addr *ether_aton(const char *s)
{
	static struct ether_addr address;
	return ether_aton_r(s, &address);
}

char *ether_ntoa_r(const struct ether_addr *from, char *to)
{
	const uint8_t *a = from->ether_addr_octet;
	sprintf(to, "%x:%x:%x:%x:%x:%x", a[0], a[1], a[2], a[3], a[4], a[5]);
	return to;
}

char *ether_ntoa(const struct ether_addr *from)
{
	static char text[18];
	return ether_ntoa_r(from, text);
}

/* An address, blanks, a name up to a blank or a comment. */
int ether_line(const char *line, struct ether_addr *address, char *name)
{
	size_t length = strcspn(line, " \t\n"), n;
	char text[18];
	if (length >= sizeof text) return -1;
	memcpy(text, line, length);
	text[length] = 0;
	if (!ether_aton_r(text, address)) return -1;
	line += length + strspn(line + length, " \t");
	n = strcspn(line, "# \t\n");
	if (n == 0) return -1;
	memcpy(name, line, n);
	name[n] = 0;
	return 0;
}

/* No machine's list of hardware addresses is modeled. */
int ether_ntohost(char *name, const struct ether_addr *address) { return -1; }
int ether_hostton(const char *name, struct ether_addr *address) { return -1; }

const char *gai_strerror(int error)
{
	static const char *const texts[] = {
		"Bad value for ai_flags", "Name or service not known", "Temporary failure in name resolution",
		"Non-recoverable failure in name resolution", "No address associated with hostname", "ai_family not supported",
		"ai_socktype not supported", "Servname not supported for ai_socktype", "Address family for hostname not supported",
		"Memory allocation failure", "System error"};
	return error <= -1 && error >= -11 ? texts[-error - 1] : "Unknown error";
}

const char *hstrerror(int error)
{
	static const char *const texts[] = {"Resolver Error 0 (no error)", "Unknown host", "Host name lookup failure",
		"Unknown server error", "No address associated with name"};
	if (error < 0) return "Resolver internal error";
	return error < 5 ? texts[error] : "Unknown resolver error";
}

/* A function in glibc, a macro in musl's header. */
#undef ns_msg_getflag
int ns_msg_getflag(ns_msg message, int flag)
{
	return (message._flags & _ns_flagdata[flag].mask) >> _ns_flagdata[flag].shift;
}
