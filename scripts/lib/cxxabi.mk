# Compiles runtime/cxx to bitcode in $(WORK) and links cxxabi.bc. Called by scripts/lib/runtime.sh from the root of the
# repository. -fexceptions in C, too: what an exception goes through must not be marked as throwing none.
CXX_FLAGS := -std=c++17 -nostdinc++ -fexceptions -fcxx-exceptions -frtti
C_FLAGS := -std=gnu11 -fexceptions
BITCODE := $(patsubst runtime/cxx/%,$(WORK)/%.bc,$(sort $(wildcard runtime/cxx/*.c runtime/cxx/*.cpp)))

$(WORK)/cxxabi.bc: $(BITCODE)
	/usr/lib/llvm-19/bin/llvm-link -o $@ $^

$(WORK)/%.cpp.bc: runtime/cxx/%.cpp
	clang++-19 $(CXX_FLAGS) $(FLAGS) -ffile-prefix-map=$(CURDIR)=. -Iruntime/include -c $< -o $@

$(WORK)/%.c.bc: runtime/cxx/%.c
	clang-19 $(C_FLAGS) $(FLAGS) -ffile-prefix-map=$(CURDIR)=. -Iruntime/include -c $< -o $@
