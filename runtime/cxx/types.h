// The classes of std::type_info, as the compiler lays them out (Itanium C++ ABI).
#ifndef HOMI_CXX_TYPES_H
#define HOMI_CXX_TYPES_H

namespace std {
class type_info {
 public:
  virtual ~type_info();
  bool operator==(const type_info &other) const;
  const char *mangled;
};
}  // namespace std

namespace __cxxabiv1 {
bool same(const std::type_info *one, const std::type_info *other);

// An object of a type among the bases of another; how often there is one.
struct hit {
  const void *object;
  unsigned count;
  bool is_public;
  bool way_is_public;
  bool has_object;
};

class kind;

// A direct base: 1 in the flags is virtual, 2 is public, and the rest is where it is.
struct base_of {
  const kind *type;
  long flags;
};

class kind : public std::type_info {
 public:
  ~kind() override;
  virtual void nothing_here() const;
  virtual void nothing_there() const;
  // True if a thrown object of another type is caught as this; it is then what is caught.
  virtual bool can_catch(const kind *thrown, void *&object) const;
  virtual bool has_base(const std::type_info *wanted, const void *object, hit &found) const;
  virtual const kind *pointed_to(unsigned &qualifiers) const;
  virtual const std::type_info *owner() const { return nullptr; }
  virtual bool is_class() const { return false; }
  virtual bool is_function() const { return false; }
  virtual unsigned bases_count() const { return 0; }
  virtual base_of base_at(unsigned) const { return {nullptr, 0}; }
};

class __fundamental_type_info : public kind {
 public:
  ~__fundamental_type_info() override;
};
class __enum_type_info : public kind {
 public:
  ~__enum_type_info() override;
};
class __array_type_info : public kind {
 public:
  ~__array_type_info() override;
  bool can_catch(const kind *thrown, void *&object) const override;
};
class __function_type_info : public kind {
 public:
  ~__function_type_info() override;
  bool can_catch(const kind *thrown, void *&object) const override;
  bool is_function() const override { return true; }
};

class __class_type_info : public kind {
 public:
  ~__class_type_info() override;
  bool can_catch(const kind *thrown, void *&object) const override;
  bool is_class() const override { return true; }
};
// One base, public, at the object's start, not virtual.
class __si_class_type_info : public __class_type_info {
 public:
  const __class_type_info *base;
  ~__si_class_type_info() override;
  bool has_base(const std::type_info *wanted, const void *object, hit &found) const override;
  unsigned bases_count() const override { return 1; }
  base_of base_at(unsigned) const override { return {base, 2}; }
};
class __vmi_class_type_info : public __class_type_info {
 public:
  unsigned shape;
  unsigned base_count;
  base_of bases[1];
  ~__vmi_class_type_info() override;
  bool has_base(const std::type_info *wanted, const void *object, hit &found) const override;
  unsigned bases_count() const override { return base_count; }
  base_of base_at(unsigned index) const override { return bases[index]; }
};

class __pbase_type_info : public kind {
 public:
  unsigned flags;
  const kind *pointee;
  ~__pbase_type_info() override;
  const kind *pointed_to(unsigned &qualifiers) const override;
};
class __pointer_type_info : public __pbase_type_info {
 public:
  ~__pointer_type_info() override;
  bool can_catch(const kind *thrown, void *&object) const override;
};
class __pointer_to_member_type_info : public __pbase_type_info {
 public:
  const std::type_info *context;
  ~__pointer_to_member_type_info() override;
  bool can_catch(const kind *thrown, void *&object) const override;
  const std::type_info *owner() const override { return context; }
};
}  // namespace __cxxabiv1
#endif
