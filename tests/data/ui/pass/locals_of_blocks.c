// expect: exits 1
// expect: statuses 0
// Locals of blocks whose addresses leave the block for a while: jumps into blocks, out of them and
// back, loops of all kinds, recursion from within a block.
struct node {
  struct node *next;
  int value;
};

static int sum(struct node *at) {
  int all = 0;
  for (; at; at = at->next) all += at->value;
  return all;
}

static int deep(struct node *up, int depth) {
  for (int i = 0; i < 2; i++) {
    struct node here = {up, i + depth};
    if (depth == 0) return sum(&here);
    int below = deep(&here, depth - 1);
    if (below > 100) goto out;
    if (below == 3) continue;
    if (below == 6) break;
  }
  {
    struct node last = {up, 1};
    switch (depth) {
    case 1: {
      struct node one = {&last, 2};
      return sum(&one);
    }
    case 2: {
      struct node two;
      two.value = 1;
      two.next = &last;
      if (sum(&two) == 2) break;
    }
    default:
      return sum(&last);
    }
  }
out:
  return up ? sum(up) : 0;
}

static int add(int *to) { return ++*to; }

static int jumps(int count) {
  int total = 0, rounds = 0;
  switch (count) {
    int in_switch;
  case 1:
    in_switch = 3;
    total += add(&in_switch);
    break;
  case 2:
    in_switch = 4;
    total += add(&in_switch);
  default:
    total++;
  }
  if (count > 2) goto in;
  {
    int outer;
    outer = 1;
    if (count > 3) {
    in:
      outer = 2;
    }
    total += add(&outer);
  back: {
    int inner = 1;
    total += add(&inner);
  }
    if (rounds++ < 3) goto back;
    total += add(&outer);
  }
  return total;
}

static int loops(void) {
  int total = 0, again = 0;
  for (int a = 0, *to = &a; *to < 3; add(to)) {
    int copy = *to;
    total += add(&copy);
    if (copy == 2) continue;
    total += copy;
  }
  for (;;) {
    int row[4];
    row[0] = total;
    add(row);
    total = row[0];
    if (total > 20) break;
  }
  do {
    int last = total;
    if (add(&last) == 23 && !again++) continue;
    total = last;
  } while (total < 25);
  while (1) {
    int once[2], *at = once;
    at[0] = 1;
    at[1] = 2;
    if (at[0] + at[1] == 3) break;
  }
repeat:;
  int here = total, *at = &here;
  if (add(at) < 30) {
    total = here;
    goto repeat;
  }
  return total + ({
           int inner = 4, *of = &inner;
           add(of);
         });
}

static void leave(int **at) { **at += 7; }

static int cleaned(void) {
  int all = 0;
  for (int i = 0; i < 2; i++) {
    int local = i;
    int *kept __attribute__((cleanup(leave))) = &local;
    *kept += 1;
    all += *kept;
  }
  return all;
}

int main(void) {
  if (jumps(1) != 4 + 2 + 4 * 2 + 3) return 1;
  if (jumps(2) != 5 + 1 + 2 + 4 * 2 + 3) return 2;
  if (jumps(3) != 1 + 3 + 4 * 2 + 4) return 3;
  if (loops() != 29 + 5) return 4;
  if (cleaned() != 3) return 5;
  return deep(0, 3) > 1000;
}
