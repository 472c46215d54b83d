// Name services as far as no file of /etc and no network has a say: numeric addresses, what is refused, tables that are empty or not.
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "show.h"

/* What /etc may or may not have. */
#define NONE_OR(pointer, condition) SHOW(!(pointer) || (condition))

static void show_host(const char *what, const struct hostent *host) {
  char text[64];
  printf("%s:", what);
  if (!host) {
    printf(" none, h_errno %d\n", h_errno);
    return;
  }
  printf(" %s family %d length %d aliases %d", host->h_name, host->h_addrtype, host->h_length, host->h_aliases[0] != NULL);
  for (int i = 0; host->h_addr_list[i]; i++) printf(" %s", inet_ntop(host->h_addrtype, host->h_addr_list[i], text, sizeof text));
  printf("\n");
}
#define HOST(expression) (h_errno = 0, show_host(#expression, expression))

static void hosts(void) {
  HOST(gethostbyname("127.0.0.1")), HOST(gethostbyname("10.1.2.3")), HOST(gethostbyname("1.2"));
  HOST(gethostbyname2("127.0.0.1", AF_INET)), HOST(gethostbyname2("::1", AF_INET6)), HOST(gethostbyname2("fe80::1:2", AF_INET6));
  struct hostent host, *found = NULL;
  char buffer[500];
  int error = -1;
  SHOW(gethostbyname_r("192.168.0.1", &host, buffer, sizeof buffer, &found, &error)), SHOW(found == &host), show_host("gethostbyname_r", found);
  SHOW(gethostbyname_r("192.168.0.1", &host, buffer, 5, &found, &error) == ERANGE), SHOW(found == NULL);
  SHOW(gethostbyname2_r("::2", AF_INET6, &host, buffer, sizeof buffer, &found, &error)), show_host("gethostbyname2_r", found);
  struct in_addr loop = {htonl(INADDR_LOOPBACK)};
  const struct hostent *named = gethostbyaddr(&loop, sizeof loop, AF_INET);
  NONE_OR(named, named->h_addrtype == AF_INET && named->h_length == 4 && memcmp(named->h_addr, &loop, 4) == 0);
  SHOW(gethostbyaddr(&loop, 3, AF_INET) == NULL), SHOW(gethostbyaddr(&loop, sizeof loop, 999) == NULL);
  const int result = gethostbyaddr_r(&loop, sizeof loop, AF_INET, &host, buffer, sizeof buffer, &found, &error);
  NONE_OR(result == 0 ? found : 0, found->h_length == 4);
  SHOW_TEXT(hstrerror(HOST_NOT_FOUND)), SHOW_TEXT(hstrerror(TRY_AGAIN)), SHOW_TEXT(hstrerror(NO_RECOVERY)), SHOW_TEXT(hstrerror(NO_DATA)), SHOW_TEXT(hstrerror(0)), SHOW_TEXT(hstrerror(77));
  sethostent(1), endhostent(), setnetent(0);
  const struct netent *net = getnetbyname("no-such-net");
  SHOW(net == NULL), endnetent();
}

static void one_address(const struct addrinfo *entry) {
  char host[64], service[32];
  printf("  family %d type %d protocol %d length %d", entry->ai_family, entry->ai_socktype, entry->ai_protocol, (int)entry->ai_addrlen);
  const int error = getnameinfo(entry->ai_addr, entry->ai_addrlen, host, sizeof host, service, sizeof service, NI_NUMERICHOST | NI_NUMERICSERV);
  printf(" %d %s %s canonical %s\n", error, error ? "" : host, error ? "" : service, entry->ai_canonname ? entry->ai_canonname : "-");
}

static void resolve(const char *host, const char *service, int family, int type, int protocol, int flags) {
  struct addrinfo hints = {.ai_family = family, .ai_socktype = type, .ai_protocol = protocol, .ai_flags = flags}, *list = NULL, *entry;
  const int error = getaddrinfo(host, service, &hints, &list);
  printf("%s %s family %d type %d protocol %d flags %x: %d", host ? host : "-", service ? service : "-", family, type, protocol, flags, error);
  printf(" %s\n", error ? gai_strerror(error) : "found");
  for (entry = error ? NULL : list; entry; entry = entry->ai_next) one_address(entry);
  if (!error) freeaddrinfo(list);
}

static void addresses(void) {
  const int numeric = AI_NUMERICHOST | AI_NUMERICSERV;
  resolve("127.0.0.1", "80", AF_UNSPEC, SOCK_STREAM, 0, numeric), resolve("::1", "80", AF_UNSPEC, SOCK_STREAM, 0, numeric), resolve("127.0.0.1", "80", AF_UNSPEC, 0, 0, numeric), resolve("127.0.0.1", NULL, AF_INET, SOCK_DGRAM, 0, numeric), resolve(NULL, "7", AF_INET, SOCK_STREAM, 0, numeric | AI_PASSIVE), resolve(NULL, "7", AF_INET, SOCK_STREAM, 0, numeric), resolve(NULL, "7", AF_INET6, SOCK_DGRAM, 0, numeric | AI_PASSIVE), resolve(NULL, "7", AF_INET6, SOCK_DGRAM, 0, numeric);
  resolve("1.2.3.4", "65535", AF_INET, SOCK_STREAM, IPPROTO_TCP, numeric | AI_CANONNAME), resolve("1.2.3.4", "http", AF_INET, SOCK_STREAM, 0, numeric), resolve("name", "80", AF_INET, SOCK_STREAM, 0, numeric), resolve("::1", "80", AF_INET, SOCK_STREAM, 0, numeric), resolve("1.2.3.4", "80", AF_INET6, SOCK_STREAM, 0, numeric), resolve("1.2.3.4", "80", AF_INET6, SOCK_STREAM, 0, numeric | AI_V4MAPPED);
  resolve(NULL, NULL, AF_INET, 0, 0, 0), resolve("1.2.3.4", NULL, 77, 0, 0, 0), resolve("1.2.3.4", NULL, AF_INET, 99, 0, 0), resolve("1.2.3.4", NULL, AF_INET, SOCK_STREAM, 0, 0x10000000), resolve("1.2.3.4", "80", AF_INET, SOCK_STREAM, IPPROTO_UDP, numeric), resolve("1.2.3.4", "5", AF_INET, SOCK_RAW, 0, numeric), resolve("fe80::1%70000", "5", AF_INET6, SOCK_STREAM, 0, numeric), resolve("127.1", "5", AF_INET, SOCK_STREAM, 0, numeric);
  resolve(NULL, NULL, AF_UNSPEC, 0, 0, AI_CANONNAME);
}

static void names(void) {
  struct sockaddr_in four = {AF_INET, htons(8080), {htonl(0xc0a80001)}};
  struct sockaddr_in6 six = {AF_INET6, htons(53), 0, IN6ADDR_LOOPBACK_INIT, 0};
  char host[64], service[64];
  SHOW(getnameinfo((void *)&four, sizeof four, host, sizeof host, service, sizeof service, NI_NUMERICHOST | NI_NUMERICSERV)), SHOW_TEXT(host), SHOW_TEXT(service);
  SHOW(getnameinfo((void *)&six, sizeof six, host, sizeof host, service, sizeof service, NI_NUMERICHOST | NI_NUMERICSERV)), SHOW_TEXT(host), SHOW_TEXT(service);
  six.sin6_addr.s6_addr[0] = 0xfe, six.sin6_addr.s6_addr[1] = 0x80, six.sin6_scope_id = 70000;
  SHOW(getnameinfo((void *)&six, sizeof six, host, sizeof host, NULL, 0, NI_NUMERICHOST)), SHOW_TEXT(host);
  SHOW(getnameinfo((void *)&four, sizeof four, host, 3, NULL, 0, NI_NUMERICHOST)), SHOW(getnameinfo((void *)&four, 4, host, sizeof host, NULL, 0, NI_NUMERICHOST)), SHOW(getnameinfo((void *)&four, sizeof four, NULL, 0, NULL, 0, 0)), SHOW(getnameinfo((void *)&four, sizeof four, NULL, 0, service, 2, NI_NUMERICSERV));
  four.sin_family = 99, SHOW(getnameinfo((void *)&four, sizeof four, host, sizeof host, NULL, 0, NI_NUMERICHOST));
}

/* Without /etc/services glibc says ENOENT, with it 0. */
static int found_nothing(int error) { return error == 0 || error == ENOENT; }

static void services(void) {
  const struct servent *service = getservbyname("http", "tcp");
  NONE_OR(service, ntohs(service->s_port) == 80 && !strcmp(service->s_proto, "tcp")), SHOW(getservbyname("no-such-service", "tcp") == NULL), SHOW(getservbyname("no-such-service", NULL) == NULL);
  service = getservbyport(htons(80), "tcp"), NONE_OR(service, !strcmp(service->s_name, "http")), SHOW(getservbyport(htons(49999), "tcp") == NULL);
  struct servent place, *found;
  char buffer[1024];
  SHOW(found_nothing(getservbyname_r("no-such-service", "tcp", &place, buffer, sizeof buffer, &found))), SHOW(found == NULL), SHOW(found_nothing(getservbyport_r(htons(49999), "udp", &place, buffer, sizeof buffer, &found))), SHOW(found == NULL);
  setservent(0), endservent();
  const struct protoent *protocol = getprotobyname("tcp");
  NONE_OR(protocol, protocol->p_proto == 6), SHOW(getprotobyname("no-such-protocol") == NULL);
  protocol = getprotobynumber(17), NONE_OR(protocol, !strcmp(protocol->p_name, "udp")), SHOW(getprotobynumber(251) == NULL);
  setprotoent(0), protocol = getprotoent(), NONE_OR(protocol, protocol->p_name[0]), endprotoent();
}

static void interfaces(void) {
  char name[IF_NAMESIZE];
  SHOW(if_nametoindex("no-such-interface")), SHOW(if_indextoname(99999, name) == NULL), SHOW(if_nametoindex("a name that is much too long"));
  struct if_nameindex *list = if_nameindex();
  NONE_OR(list, list[0].if_index == 0 || list[0].if_name[0]);
  if (list) if_freenameindex(list);
  struct ifaddrs *addresses = NULL;
  const int result = getifaddrs(&addresses);
  NONE_OR(result == 0 ? addresses : 0, addresses->ifa_name[0]);
  if (result == 0) freeifaddrs(addresses);
}

static void ethers(void) {
  struct ether_addr address = {{0, 1, 2, 0xa, 0xb, 0xff}}, read;
  char host[100] = "", text[64];
  SHOW_TEXT(ether_ntoa(&address)), SHOW_TEXT(ether_ntoa_r(&address, text)), SHOW(ether_aton("1:2:3") == NULL), SHOW(ether_aton("1:2:3:4:5:gg") == NULL), SHOW(ether_aton_r("aa:bb:cc:dd:ee:f", &read) == &read), SHOW_TEXT(ether_ntoa(&read));
  SHOW(ether_line("8:0:20:1:2:3 machine.name", &read, host)), SHOW_TEXT(host), SHOW_TEXT(ether_ntoa(&read)), SHOW(ether_line("# comment", &read, host)), SHOW(ether_line("8:0:20 machine", &read, host)), SHOW(ether_hostton("no-such-host", &read) != 0), SHOW(ether_ntohost(host, &address) != 0);
}

int main(void) {
  hosts(), addresses(), names(), services(), interfaces(), ethers();
  printf("%d %d\n", in6addr_any.s6_addr[15], in6addr_loopback.s6_addr[15]);
  return 0;
}
