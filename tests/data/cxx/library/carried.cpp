// inputs: 123456
// clang: -pthread
// Exceptions that are kept and thrown again, nested ones, from threads and futures; coroutines of none.
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <typeinfo>
#include <vector>

char *huge;

struct Guard {
  const char *name;
  int before = std::uncaught_exceptions();
  ~Guard() { std::printf("%s(%d) ", name, std::uncaught_exceptions() - before); }
};

static void tell(const std::exception &error, int depth = 0) {
  std::printf("%d:%s ", depth, error.what());
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception &inner) {
    tell(inner, depth + 1);
  }
}

static void layered(int n) {
  Guard guard{"layer"};
  try {
    if (n == 0) throw std::invalid_argument("deepest");
    layered(n - 1);
  } catch (...) {
    std::throw_with_nested(std::runtime_error("level " + std::to_string(n)));
  }
}

int main() {
  int c = std::getchar();
  std::exception_ptr kept;
  switch (c) {
  case '1':
    try {
      layered(2);
    } catch (const std::exception &error) {
      tell(error);
    }
    break;
  case '2':
    try {
      Guard guard{"first"};
      throw std::out_of_range(std::string("kept"));
    } catch (...) {
      kept = std::current_exception();
    }
    for (int i = 0; i < 2; i++) {
      try {
        std::rethrow_exception(kept);
      } catch (const std::logic_error &error) {
        std::printf("%s %d ", error.what(), kept == std::current_exception());
      }
    }
    break;
  case '3': {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<int> made;
    std::thread maker([&] {
      for (int i = 0; i < 3; i++) {
        std::lock_guard<std::mutex> lock(mutex);
        made.push_back(i * c);
        changed.notify_one();
      }
    });
    {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [&] { return made.size() == 3; });
    }
    maker.join();
    for (int n : made) std::printf("%d ", n);
    break;
  }
  case '4': {
    auto answer = std::async(std::launch::async, [](int n) -> int {
      if (n > 0) throw std::domain_error("in another thread");
      return n;
    }, c);
    try {
      std::printf("%d ", answer.get());
    } catch (const std::domain_error &error) {
      std::printf("%s ", error.what());
    }
    break;
  }
  case '5':
    std::set_terminate([] {
      std::printf("terminate\n");
      std::fflush(nullptr);
      std::_Exit(9);
    });
    throw 5;
  case '6':
    try {
      Guard *null = nullptr;
      struct Base { virtual ~Base() {} } *base = nullptr;
      std::printf("%s ", typeid(Base).name() ? "named" : "");
      (void)null;
      (void)typeid(*base);
    } catch (const std::bad_typeid &) {
      std::printf("bad typeid ");
    }
    try {
      huge = new char[(unsigned long)-1 / 2 - c];
    } catch (const std::bad_alloc &error) {
      std::printf("bad alloc %d ", (int)(error.what()[0] != 0));
    }
    break;
  }
  std::printf("\n");
  return 0;
}
