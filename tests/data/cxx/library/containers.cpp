// inputs: 0159z
// Containers, strings and algorithms of the standard library, and the exceptions that they throw.
#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

struct Node {
  std::string name;
  std::shared_ptr<Node> next;
  ~Node() { std::printf("~%s ", name.c_str()); }
};

static int parsed(const std::string &text) {
  try {
    return std::stoi(text);
  } catch (const std::invalid_argument &error) {
    std::printf("invalid(%d) ", (int)(std::string(error.what()).size() > 0));
    return -1;
  } catch (const std::out_of_range &) {
    std::printf("range ");
    return -2;
  }
}

int main() {
  int c = std::getchar();
  std::vector<int> numbers(10);
  std::iota(numbers.begin(), numbers.end(), c);
  std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a % 7 < b % 7 || (a % 7 == b % 7 && a < b); });
  for (int n : numbers) std::printf("%d ", n);
  std::printf("\n%d\n", std::accumulate(numbers.begin(), numbers.end(), 0));

  std::map<std::string, int> words;
  for (const char *word : {"one", "two", "three", "two", "a rather long word that has no room in place", "one"}) words[word] += c;
  for (auto &[word, count] : words) std::printf("%s=%d ", word.c_str(), count);
  std::unordered_map<int, std::string> names{{1, "x"}, {c, "input"}, {3, "z"}};
  std::printf("%s %zu\n", names.at(c).c_str(), names.size());
  try {
    std::printf("%s\n", names.at(1000).c_str());
  } catch (const std::out_of_range &) {
    std::printf("no 1000\n");
  }
  try {
    std::printf("%d\n", numbers.at(c));
  } catch (const std::exception &) {
    std::printf("not at %d\n", c);
  }
  std::string text(c - '0' < 10 ? c - '0' : 3, 'q');
  text += "tail";
  text.insert(1, "in").append(3, '.');
  std::printf("%s %zu %zu %s\n", text.c_str(), text.find("ai"), text.size(), text.substr(2).c_str());
  std::printf("%d %d %d %d\n", parsed("12"), parsed("x"), parsed("99999999999"), parsed(std::to_string(c)));

  std::set<int> set(numbers.begin(), numbers.end());
  std::deque<int> deque(set.rbegin(), set.rend());
  deque.push_front(c);
  std::list<int> list(deque.begin(), deque.end());
  list.sort();
  list.unique();
  std::printf("%zu %zu %d %d\n", set.size(), list.size(), list.front(), deque.back());
  auto first = std::make_shared<Node>(Node{"first", nullptr});
  first->next = std::make_shared<Node>(Node{"second", nullptr});
  std::weak_ptr<Node> weak = first->next;
  std::unique_ptr<Node> own(new Node{"own", first});
  first.reset();
  std::printf("[%d] ", (int)weak.expired());
  own.reset();
  std::printf("[%d]\n", (int)weak.expired());
  std::variant<int, std::string> either = std::string("text");
  try {
    std::printf("%d\n", std::get<int>(either));
  } catch (const std::bad_variant_access &) {
    std::printf("no int\n");
  }
  std::function<int(int)> f = [&](int n) { return n < 2 ? n : f(n - 1) + f(n - 2); };
  std::optional<int> maybe;
  std::printf("%d %d\n", f(12), maybe.value_or(c));
  try {
    std::vector<int> huge;
    huge.reserve(huge.max_size() + 1);
  } catch (const std::length_error &) {
    std::printf("too long\n");
  }
  std::fflush(nullptr);
  if (c == 'z') throw std::runtime_error("the end of " + text);
  return numbers[0] % 50;
}
