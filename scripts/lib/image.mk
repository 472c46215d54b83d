# Compiles runtime/image/*.c to bitcode in $(WORK) and links image.bc. Called by scripts/lib/runtime.sh from the
# root of the repository.
BITCODE := $(patsubst runtime/image/%.c,$(WORK)/%.bc,$(sort $(wildcard runtime/image/*.c)))

$(WORK)/image.bc: $(BITCODE)
	/usr/lib/llvm-19/bin/llvm-link -o $@ $^

$(WORK)/%.bc: runtime/image/%.c
	clang-19 $(FLAGS) -ffile-prefix-map=$(CURDIR)=. -Iruntime/include -c $< -o $@
