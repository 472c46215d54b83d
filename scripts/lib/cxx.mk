# Compiles LLVM's C++ library to bitcode. Called by scripts/lib/cxx.sh.
# Variables from outside: SOURCE (libcxx and libcxxabi, unpacked), INCLUDE (the library's headers), OBJ (output folder).
# The C headers are the machine's: programs are compiled with these, too, and libc.bc is made for that.

SKIPPED := new.cpp legacy_pointer_safety.cpp strstream.cpp
NAMES := $(filter-out $(SKIPPED),$(notdir $(wildcard $(SOURCE)/libcxx/src/*.cpp)))
NAMES += $(patsubst $(SOURCE)/libcxx/src/%,%,$(wildcard $(SOURCE)/libcxx/src/filesystem/*.cpp $(SOURCE)/libcxx/src/ryu/*.cpp))
BITCODE := $(patsubst %.cpp,$(OBJ)/%.bc,$(filter-out iostream.cpp,$(NAMES))) $(OBJ)/stdlib_stdexcept.bc

# As libc's: front-end output fit for passes, without what speculates.
FLAGS := -std=c++23 -O1 -Xclang -disable-llvm-passes -emit-llvm -fno-pic -fno-ident -w -nostdinc++ -U_FORTIFY_SOURCE \
  -fno-stack-protector -fno-strict-aliasing -fno-math-errno -ffp-contract=off -ffile-prefix-map=$(SOURCE)=. \
  -D_LIBCPP_BUILDING_LIBRARY -D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE -DLIBCXX_BUILDING_LIBCXXABI \
  -D_LIBCXXABI_BUILDING_LIBRARY -D_GNU_SOURCE \
  -isystem $(INCLUDE) -I$(SOURCE)/libcxx/src -I$(SOURCE)/libcxx/src/include -I$(SOURCE)/libcxxabi/src

SIMPLIFY := simplifycfg<no-speculate-blocks;no-simplify-cond-branch>
PASSES := always-inline,function(sroa,early-cse,$(SIMPLIFY),instcombine<no-verify-fixpoint>,$(SIMPLIFY)),globaldce
LLVM := /usr/lib/llvm-19/bin

all: $(OBJ)/libcxx.bc $(OBJ)/streams.bc

$(OBJ)/libcxx.bc: $(BITCODE)
	$(LLVM)/llvm-link -o $@.linked $(BITCODE)
	$(LLVM)/opt '-passes=$(PASSES)' $@.linked -o $@.tmp
	rm $@.linked
	mv $@.tmp $@

$(OBJ)/streams.bc: $(OBJ)/iostream.bc
	$(LLVM)/opt '-passes=$(PASSES)' $< -o $@

$(OBJ)/%.bc: $(SOURCE)/libcxx/src/%.cpp
	@mkdir -p $(@D)
	clang++-19 $(FLAGS) -c $< -o $@

$(OBJ)/%.bc: $(SOURCE)/libcxxabi/src/%.cpp
	@mkdir -p $(@D)
	clang++-19 $(FLAGS) -c $< -o $@
