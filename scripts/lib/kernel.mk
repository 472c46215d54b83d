# Compiles runtime/kernel/*.c to bitcode in $(WORK) and links kernel.bc. Called by scripts/lib/runtime.sh from the
# root of the repository.
BITCODE := $(patsubst runtime/kernel/%.c,$(WORK)/%.bc,$(sort $(wildcard runtime/kernel/*.c)))

$(WORK)/kernel.bc: $(BITCODE)
	/usr/lib/llvm-19/bin/llvm-link -o $@ $^

$(WORK)/%.bc: runtime/kernel/%.c
	clang-19 $(FLAGS) -ffile-prefix-map=$(CURDIR)=. -Iruntime/include -c $< -o $@
