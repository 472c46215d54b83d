// Addresses, names of hosts and services that need no network and no file of the machine, and the resolver's messages.
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <netinet/in.h>
#include <resolv.h>
#include <sys/socket.h>

#include "show.h"

static void show_network(const char *text) { printf("network %s = %x\n", text, inet_network(text)); }

static void show_address(const char *text) {
  struct in_addr address = {0};
  int valid = inet_aton(text, &address);
  printf("aton %s = %d %08x\n", text, valid, valid ? ntohl(address.s_addr) : 0);
}

static void classes(void) {
  static const char *const texts[] = {"10.1.2.3", "172.20.9.7", "192.168.4.5", "224.0.0.1"};
  for (unsigned i = 0; i < 4; i++) {
    struct in_addr address = {inet_addr(texts[i])};
    printf("%s net %x host %x", texts[i], inet_netof(address), inet_lnaof(address));
    printf(" again %s\n", inet_ntoa(inet_makeaddr(inet_netof(address), inet_lnaof(address))));
  }
  printf("%s", inet_ntoa(inet_makeaddr(10, 0x10203))), printf(" %s", inet_ntoa(inet_makeaddr(0x8001, 7))), printf(" %s\n", inet_ntoa(inet_makeaddr(0xc0a801, 9)));
  show_network("10"), show_network("10.1"), show_network("10.1.2"), show_network("10.1.2.3"), show_network("0x10.010"), show_network("1.2.3.4.5");
  show_network("256"), show_network("1.256"), show_network(""), show_network("a.b"), show_network("0377.1");
  show_address("1"), show_address("1.2"), show_address("1.2.3"), show_address("0x7f.1"), show_address("0177.0.0.1"), show_address("1.2.3.256");
  show_address("1.2.3.4 "), show_address("1.2.3.4x"), show_address(""), show_address("4294967295"), show_address("1.16777215"), show_address("1.16777216");
}

static void show_six(const char *text) {
  struct in6_addr address;
  char back[INET6_ADDRSTRLEN];
  int valid = inet_pton(AF_INET6, text, &address);
  printf("pton %s = %d %s\n", text, valid, valid == 1 ? inet_ntop(AF_INET6, &address, back, sizeof back) : "-");
}

static void six(void) {
  char small[8];
  show_six("::"), show_six("::1"), show_six("1::"), show_six("fe80::1:2"), show_six("::ffff:1.2.3.4"), show_six("::1.2.3.4"), show_six("1:2:3:4:5:6:7:8"), show_six("1:0:0:2:0:0:0:3");
  show_six("2001:db8:0:0:1:0:0:1"), show_six("1:2:3:4:5:6:7"), show_six("1:2:3:4:5:6:7:8:9"), show_six(":1"), show_six("1:"), show_six("12345::"), show_six("1::2::3"), show_six("0:0:1::"), show_six("64:ff9b::1.2.3.400");
  SHOW(inet_ntop(AF_INET6, &in6addr_loopback, small, 2) == NULL), SHOW(errno == ENOSPC), SHOW_TEXT(inet_ntop(AF_INET6, &in6addr_any, small, sizeof small));
  CALL(inet_pton(77, "1", small)), SHOW(inet_ntop(77, small, small, 8) == NULL), SHOW(errno == EAFNOSUPPORT);
  SHOW(IN6_IS_ADDR_LOOPBACK(&in6addr_loopback)), SHOW(IN6_IS_ADDR_UNSPECIFIED(&in6addr_any));
}

static void hardware(void) {
  struct ether_addr address, *found;
  char name[40], text[20];
  SHOW_TEXT(ether_ntoa(ether_aton("0:1:A:bC:0d:ff"))), SHOW_TEXT(ether_ntoa_r(ether_aton("00:11:22:33:44:55"), text));
  SHOW(ether_aton("1:2:3:4:5") == NULL), SHOW(ether_aton("1:2:3:4:5:6:7") == NULL), SHOW(ether_aton("1:2:3:4:5:100") == NULL), SHOW(ether_aton("x:2:3:4:5:6") == NULL);
  found = ether_aton_r("a:b:c:d:e:f", &address);
  SHOW(found == &address), SHOW(address.ether_addr_octet[5]);
}

static void show_information(const char *host, const char *service, int flags, int family, int kind) {
  struct addrinfo hints = {.ai_flags = flags, .ai_family = family, .ai_socktype = kind}, *list, *item;
  int error = getaddrinfo(host, service, &hints, &list);
  char name[64], port[16];
  printf("getaddrinfo %s %s", host ? host : "-", service ? service : "-");
  if (error) {
    printf(": %s\n", gai_strerror(error));
    return;
  }
  for (item = list; item; item = item->ai_next) {
    printf(" [%d %d %d", item->ai_family, item->ai_socktype, item->ai_protocol);
    if (!getnameinfo(item->ai_addr, item->ai_addrlen, name, sizeof name, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV)) printf(" %s %s]", name, port);
  }
  printf("\n");
  freeaddrinfo(list);
}

static void information(void) {
  const int numeric = AI_NUMERICHOST | AI_NUMERICSERV;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80)};
  char text[4];
  show_information("127.0.0.1", "80", numeric, AF_INET, SOCK_STREAM);
  show_information("127.0.0.1", "80", numeric, AF_UNSPEC, 0);
  show_information("::1", "53", numeric, AF_UNSPEC, SOCK_DGRAM);
  show_information(NULL, "8080", AI_PASSIVE | AI_NUMERICSERV, AF_INET, SOCK_STREAM);
  show_information(NULL, "8080", AI_NUMERICSERV, AF_INET, SOCK_STREAM);
  show_information("10.2", NULL, numeric, AF_INET, SOCK_STREAM);
  show_information("name", "80", numeric, AF_INET, SOCK_STREAM);
  show_information(NULL, NULL, numeric, AF_INET, SOCK_STREAM);
  show_information("1.2.3.4", "http", numeric, AF_INET, SOCK_STREAM);
  show_information("1.2.3.4", "80", numeric, 77, SOCK_STREAM);
  show_information("1.2.3.4", "80", numeric, AF_INET6, SOCK_STREAM);
  SHOW(getnameinfo((void *)&address, sizeof address, text, sizeof text, NULL, 0, NI_NUMERICHOST));
  SHOW(getnameinfo((void *)&address, 3, text, sizeof text, NULL, 0, NI_NUMERICHOST));
  for (int error = 0; error >= -12; error--) printf("%d %s\n", error, gai_strerror(error));
  for (int error = -1; error <= 5; error++) printf("%d %s\n", error, hstrerror(error));
  h_errno = HOST_NOT_FOUND, herror("herror"), h_errno = TRY_AGAIN, herror(NULL);
}

static void hosts(void) {
  struct hostent *host = gethostbyname("1.2.3.4"), result;
  char buffer[1024];
  struct hostent *found;
  int error;
  printf("%s %d %d %s", host->h_name, host->h_addrtype, host->h_length, inet_ntoa(*(struct in_addr *)host->h_addr_list[0]));
  printf(" %d %d\n", host->h_aliases[0] == NULL, host->h_addr_list[1] == NULL);
  SHOW(gethostbyname_r("5.6.7.8", &result, buffer, sizeof buffer, &found, &error)), SHOW_TEXT(found->h_name), SHOW_TEXT(inet_ntoa(*(struct in_addr *)found->h_addr_list[0]));
  SHOW(gethostbyname_r("5.6.7.8", &result, buffer, 4, &found, &error) == ERANGE);
  host = gethostbyname2("::5", AF_INET6);
  printf("%s %d %d\n", host->h_name, host->h_addrtype, host->h_length);
}

/* A message with one question and one answer that points back at the question's name. */
static const unsigned char message[] = {0x12, 0x34, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0, 3, 'w', 'w', 'w', 2, 'a', 'b', 0, 0, 1, 0, 1,
                                        0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 0, 0, 4, 10, 0, 0, 7};

static void messages(void) {
  unsigned char packed[64], *names[4] = {packed, NULL}, query[512];
  char name[NS_MAXDNAME];
  ns_msg handle;
  ns_rr record;
  SHOW(dn_expand(message, message + sizeof message, message + 24, name, sizeof name)), SHOW_TEXT(name);
  SHOW(dn_expand(message, message + sizeof message, message + 12, name, 4)), SHOW(dn_skipname(message + 12, message + sizeof message)), SHOW(dn_skipname(message + 24, message + sizeof message));
  SHOW(ns_initparse(message, sizeof message, &handle)), SHOW(ns_msg_id(handle)), SHOW(ns_msg_count(handle, ns_s_qd)), SHOW(ns_msg_count(handle, ns_s_an)), SHOW(ns_msg_getflag(handle, ns_f_qr)), SHOW(ns_msg_getflag(handle, ns_f_rcode));
  SHOW(ns_parserr(&handle, ns_s_an, 0, &record)), SHOW_TEXT(ns_rr_name(record)), SHOW(ns_rr_type(record)), SHOW(ns_rr_class(record)), SHOW(ns_rr_ttl(record)), SHOW(ns_rr_rdlen(record)), SHOW(ns_rr_rdata(record)[3]);
  SHOW(ns_parserr(&handle, ns_s_an, 1, &record)), SHOW(ns_get16(message)), SHOW(ns_get32(message) == 0x12348180);
  ns_put16(0xabcd, packed), ns_put32(0x01020304, packed + 2);
  SHOW(packed[0]), SHOW(packed[5]), SHOW(ns_name_uncompress(message, message + sizeof message, message + 24, name, sizeof name)), SHOW_TEXT(name), SHOW(ns_skiprr(message + 12, message + sizeof message, ns_s_qd, 1));
  SHOW(dn_comp("mail.ab", packed, sizeof packed, NULL, NULL)), SHOW(packed[0]), SHOW(packed[7]);
  int length = res_mkquery(ns_o_query, "www.example.org", ns_c_in, ns_t_aaaa, NULL, 0, NULL, query, sizeof query);
  SHOW(length), SHOW(query[2]), SHOW(query[5]), SHOW(query[12]), SHOW(query[length - 3]), SHOW(query[length - 1]);
}

/* What is no descriptor or no socket. */
static void refused(void) {
  char byte = 0;
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t length = sizeof address;
  int option = 0;
  CALL(connect(77, (void *)&address, length)), CALL(bind(77, (void *)&address, length)), CALL(listen(77, 1)), CALL(accept(77, NULL, NULL)), CALL(accept4(77, NULL, NULL, 0)), CALL(shutdown(77, SHUT_RD));
  CALL(getsockname(77, (void *)&address, &length)), CALL(getpeername(77, (void *)&address, &length)), CALL(getsockopt(77, SOL_SOCKET, SO_TYPE, &option, &length)), CALL(setsockopt(77, SOL_SOCKET, SO_REUSEADDR, &option, sizeof option));
  CALL(send(77, &byte, 1, 0)), CALL(recv(77, &byte, 1, 0)), CALL(sendto(77, &byte, 1, 0, NULL, 0)), CALL(recvfrom(77, &byte, 1, 0, NULL, NULL));
  CALL(connect(1, (void *)&address, length) == -1 && errno == ENOTSOCK), CALL(recv(0, &byte, 1, 0)), CALL(listen(0, 1)), CALL(shutdown(0, SHUT_RD)), CALL(socket(77, SOCK_STREAM, 0));
  struct msghdr header = {0};
  struct mmsghdr headers[1] = {0};
  CALL(sendmsg(0, &header, 0)), CALL(recvmsg(0, &header, 0)), CALL(sendmmsg(0, headers, 1, 0)), CALL(recvmmsg(0, headers, 1, 0, NULL)), CALL(sockatmark(0));
}

int main(void) {
  classes(), six(), hardware(), information(), hosts(), messages(), refused();
  SHOW(htons(1)), SHOW(ntohs(256)), SHOW(htonl(1)), SHOW(ntohl(0x1000000));
  return 0;
}
