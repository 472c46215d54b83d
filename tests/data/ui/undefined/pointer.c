// expect: bug undef line 12 "access through an undefined pointer"
// expect: bug ptr line 12 "memory error: out of bound pointer"
// level: -O0
struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node first;
  first.value = 1;
  return first.next->value;
}
