// inputs: 7axz
// Streams: text in and out, numbers, formats, files in memory.
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Point {
  int x, y;
};
static std::ostream &operator<<(std::ostream &out, const Point &point) {
  return out << '(' << point.x << ", " << point.y << ')';
}
static std::istream &operator>>(std::istream &in, Point &point) {
  char comma;
  return in >> point.x >> comma >> point.y;
}

int main() {
  char c;
  if (!(std::cin >> c)) return 1;
  std::cout << "read " << c << ' ' << int(c) << std::endl;
  std::cout << std::hex << std::showbase << int(c) << std::dec << ' ' << std::setw(8) << std::setfill('.') << 42 << ' '
            << std::fixed << std::setprecision(3) << 3.14159 << ' ' << std::boolalpha << (c == 'x') << '\n';
  std::istringstream in("12 34.5 word 7,8 rest of it");
  int number;
  double real;
  std::string word, rest;
  Point point;
  in >> number >> real >> word >> point;
  std::getline(in, rest);
  std::cout << number + 1 << ' ' << real * 2 << ' ' << word << ' ' << point << " [" << rest << "]\n";
  std::ostringstream out;
  for (int i = 0; i < 5; i++) out << i * int(c) << (i < 4 ? "," : "");
  std::cout << out.str() << '\n';
  std::stringstream wrong("abc");
  if (!(wrong >> number)) std::cout << "no number, " << wrong.fail() << wrong.eof() << '\n';
  wrong.clear();
  wrong.exceptions(std::ios::failbit);
  try {
    wrong >> number;
  } catch (const std::ios_base::failure &) {
    std::cout << "failure\n";
  }
  {
    std::ofstream file("made.txt");
    file << "line one\nline " << c << "\n";
  }
  std::ifstream file("made.txt");
  std::string line;
  int count = 0;
  while (std::getline(file, line)) std::cout << ++count << ": " << line << '\n';
  std::cout << std::boolalpha << std::ifstream("absent.txt").is_open() << std::endl;
  if (c == 'z') throw std::logic_error("uncaught");
  if (c == 'x') std::exit(3);
  return 0;
}
