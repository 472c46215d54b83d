// The resolver's messages without a network: names packed and unpacked, queries made, answers read.
#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>

#include "show.h"

static void bytes(const char *what, const unsigned char *p, int n) {
  printf("%s: %d:", what, n);
  for (int i = 0; i < n; i++) printf(" %02x", p[i]);
  printf("\n");
}

/* A question and two answers for "www.example.org", the second by pointer; then an address of the name server. */
static const unsigned char answer[] = {
    0x12, 0x34, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 1, 3, 'w', 'w', 'w', 7, 'e', 'x', 'a', 'm', 'p', 'l', 'e', 3, 'o', 'r', 'g', 0, 0, 1, 0, 1,
    0xc0, 12, 0, 5, 0, 1, 0, 0, 1, 44, 0, 7, 4, 'h', 'o', 's', 't', 0xc0, 16,
    0xc0, 45, 0, 1, 0, 1, 0, 0, 14, 16, 0, 4, 192, 0, 2, 7,
    0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0};

static void names(void) {
  char text[300];
  unsigned char packed[300];
  const unsigned char *known[10] = {packed, NULL};
  int n = dn_comp("www.example.org", packed, sizeof packed, known, known + 10);
  bytes("dn_comp", packed, n), SHOW(dn_skipname(packed, packed + n)), SHOW(dn_expand(packed, packed + n, packed, text, sizeof text)), SHOW_TEXT(text);
  int more = dn_comp("mail.example.org", packed + n, sizeof packed - n, known, known + 10);
  bytes("dn_comp", packed + n, more), SHOW(dn_expand(packed, packed + n + more, packed + n, text, sizeof text)), SHOW_TEXT(text);
  SHOW(dn_comp("www.example.org", packed, 4, NULL, NULL)), SHOW(dn_comp("a..b", packed, sizeof packed, NULL, NULL)), SHOW(dn_comp("", packed, sizeof packed, NULL, NULL));
  SHOW(dn_expand(answer, answer + sizeof answer, answer + 33, text, sizeof text)), SHOW_TEXT(text), SHOW(dn_expand(answer, answer + sizeof answer, answer + 52, text, sizeof text)), SHOW_TEXT(text), SHOW(dn_expand(answer, answer + sizeof answer, answer + 12, text, 5)), SHOW(dn_expand(answer, answer + 20, answer + 12, text, sizeof text)), SHOW(dn_skipname(answer + 33, answer + sizeof answer)), SHOW(dn_skipname(answer + 12, answer + 15));
  const unsigned char loop[] = {0xc0, 0};
  SHOW(dn_expand(loop, loop + 2, loop, text, sizeof text));
}

static void message(void) {
  ns_msg handle;
  ns_rr record;
  char text[100];
  SHOW(ns_initparse(answer, sizeof answer, &handle)), SHOW(ns_msg_id(handle)), SHOW(ns_msg_getflag(handle, ns_f_qr)), SHOW(ns_msg_getflag(handle, ns_f_rd)), SHOW(ns_msg_getflag(handle, ns_f_rcode)), SHOW(ns_msg_count(handle, ns_s_qd)), SHOW(ns_msg_count(handle, ns_s_an)), SHOW(ns_msg_count(handle, ns_s_ar)), SHOW(ns_msg_size(handle));
  SHOW(ns_parserr(&handle, ns_s_qd, 0, &record)), SHOW_TEXT(ns_rr_name(record)), SHOW(ns_rr_type(record)), SHOW(ns_rr_class(record));
  SHOW(ns_parserr(&handle, ns_s_an, 0, &record)), SHOW_TEXT(ns_rr_name(record)), SHOW(ns_rr_type(record)), SHOW(ns_rr_ttl(record)), SHOW(ns_rr_rdlen(record)), SHOW(ns_name_uncompress(ns_msg_base(handle), ns_msg_end(handle), ns_rr_rdata(record), text, sizeof text)), SHOW_TEXT(text);
  SHOW(ns_parserr(&handle, ns_s_an, 1, &record)), SHOW_TEXT(ns_rr_name(record)), SHOW(ns_rr_ttl(record)), bytes("data", ns_rr_rdata(record), ns_rr_rdlen(record));
  SHOW(ns_parserr(&handle, ns_s_an, 2, &record)), SHOW(ns_parserr(&handle, ns_s_ar, 0, &record)), SHOW(ns_rr_type(record)), SHOW(ns_initparse(answer, 20, &handle)), SHOW(ns_initparse(answer, 5, &handle));
  unsigned char packed[8];
  ns_put16(0x1234, packed), ns_put32(0x89abcdef, packed + 2), bytes("put", packed, 6), SHOW(ns_get16(packed)), SHOW(ns_get32(packed + 2));
  SHOW(ns_skiprr(answer + 33, answer + sizeof answer, ns_s_an, 2)), SHOW(ns_skiprr(answer + 12, answer + sizeof answer, ns_s_qd, 1));
}

static void queries(void) {
  unsigned char query[300];
  int n = res_mkquery(ns_o_query, "example.org", ns_c_in, ns_t_a, NULL, 0, NULL, query, sizeof query);
  query[0] = query[1] = 0, bytes("query", query, n);
  n = res_mkquery(ns_o_query, "example.org.", ns_c_in, ns_t_aaaa, NULL, 0, NULL, query, sizeof query), query[0] = query[1] = 0, bytes("query", query, n);
  SHOW(res_mkquery(ns_o_query, "example.org", ns_c_in, ns_t_a, NULL, 0, NULL, query, 10)), SHOW(res_mkquery(ns_o_query, "a..b", ns_c_in, ns_t_a, NULL, 0, NULL, query, sizeof query));
}

int main(void) {
  names(), message();
  SHOW(res_init()), queries();
  struct __res_state state;
  memset(&state, 0, sizeof state);
  unsigned char query[100];
  SHOW(res_ninit(&state)), SHOW((state.options & RES_INIT) != 0);
  int n = res_nmkquery(&state, ns_o_query, "a.b", ns_c_in, ns_t_mx, NULL, 0, NULL, query, sizeof query);
  query[0] = query[1] = 0, bytes("nmkquery", query, n), res_nclose(&state);
  SHOW(res_hnok("a-b.c")), SHOW(res_hnok("-a.c")), SHOW(res_hnok("a b")), SHOW(res_hnok("")), SHOW(res_ownok("*.a")), SHOW(res_hnok("*.a")), SHOW(res_dnok("a*b.c")), SHOW(res_dnok("a b")), SHOW(res_hnok("a..b")), SHOW(res_hnok("a.")), SHOW(dn_count_labels("a.b.c")), SHOW(dn_count_labels("a.b.")), SHOW(dn_count_labels("*.a")), SHOW(dn_count_labels(""));
  return 0;
}
