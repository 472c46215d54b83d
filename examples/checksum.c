// A packet of eight bytes: six of data, then their checksum. Random packets rarely pass the check.
//
// homi finds a packet with a correct checksum whose length makes the copy overflow its buffer. The
// checksum is an equation, which homi solves.
//
// run: --sym-stdin 8
// finds: ptr line 32

#include <stdint.h>
#include <unistd.h>

enum { DATA = 6, PACKET = DATA + 2, PAYLOAD = 4 };

static uint16_t check_sum(const uint8_t *data, int size) {
  uint16_t sum = 0xffff;
  for (int i = 0; i < size; i++) {
    sum ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      sum = (sum >> 1) ^ (0xa001 & -(sum & 1));
  }
  return sum;
}

int main(void) {
  uint8_t packet[PACKET];
  if (read(0, packet, sizeof packet) != sizeof packet)
    return 1;
  if (check_sum(packet, DATA) != (packet[6] | packet[7] << 8))
    return 2;
  uint8_t payload[PAYLOAD], length = packet[1] & 7;
  for (int i = 0; i < length; i++)
    payload[i] = packet[2 + i % PAYLOAD];
  return length == 0 ? 3 : payload[0] & 1;
}
