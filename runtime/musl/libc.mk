# Compiles the prepared tree to bitcode, one file at a time, and links it into libc.bc. Called by build.sh.
# Variables from outside: MACHINE (x86_64 or i386), TREE (prepared sources), OBJ (output folder), CLANG, OPT, LINK.

SOURCES := $(shell cd $(TREE) && find src compat -name '*.c' | LC_ALL=C sort)
BITCODE := $(SOURCES:%.c=$(OBJ)/%.bc)
# Any header or flag changed: all is compiled again (half a minute), which no half-known dependency can beat.
HEADERS := $(shell find $(TREE) -name '*.h')
THIS := $(lastword $(MAKEFILE_LIST))
GENERATED := $(OBJ)/include/bits/alltypes.h $(OBJ)/include/bits/syscall.h $(OBJ)/src/internal/version.h

# -disable-llvm-passes at -O1: front-end output fit for passes (no optnone), with lifetime markers.
# no-builtins comes from -ffreestanding, so that no pass turns a loop in memset into a call of memset.
FLAGS := -std=c99 -ffreestanding -nostdinc -D_XOPEN_SOURCE=700 -w -fno-stack-protector -fno-pic \
  -fno-math-errno -ffp-contract=off -fno-strict-aliasing -O1 -Xclang -disable-llvm-passes -emit-llvm \
  -fno-ident -fno-asynchronous-unwind-tables -ffile-prefix-map=$(TREE)/= \
  -I$(TREE)/arch/homi -I$(TREE)/arch/generic -I$(OBJ)/src/internal -I$(TREE)/src/include \
  -I$(TREE)/src/internal -I$(OBJ)/include -I$(TREE)/include

# The wrappers of system calls and atomics vanish; loads and stores of locals become values; blocks are merged.
# Branches stay branches: were they turned into selects, then pointers, lengths and errno values that depend on a
# symbolic byte would become symbolic themselves, which costs far more than the fork that was saved. Where a
# branch-free form pays (character classes, digits), the source is written so (runtime/glibc).
ifeq ($(MACHINE),i386)
FLAGS += -m32
endif

SIMPLIFY := simplifycfg<no-speculate-blocks;no-simplify-cond-branch>
PASSES := always-inline,function(sroa,early-cse,$(SIMPLIFY),instcombine<no-verify-fixpoint>,$(SIMPLIFY)),globaldce

# The passes run once over all: a process for each file would take longer than the compilation.
$(OBJ)/libc.bc: $(BITCODE)
	$(LINK) -o $@.linked $(BITCODE)
	$(OPT) '-passes=$(PASSES)' $@.linked -o $@.tmp
	rm $@.linked
	mv $@.tmp $@

# musl's word-at-a-time loops depend on __GNUC__; they read past the end of strings, which is an error here.
$(OBJ)/src/string/%.bc: EXTRA := -U__GNUC__
# glibc's mbtowc has a state, which is the program's own.
$(OBJ)/src/stdio/%.bc: EXTRA := -Dmbtowc=__homi_mbtowc
# musl's converter has the sets of two bytes a character; runtime/glibc/iconv.c calls it.
$(OBJ)/src/locale/%.bc: EXTRA := -Diconv_open=__homi_iconv_open -Diconv=__homi_iconv -Diconv_close=__homi_iconv_close
# Those of runtime/glibc/math_errors.c call these and set errno.
CHECKED := acos asin acosh atanh expm1 exp exp2 exp10 log log2 log10 log1p sqrt sin cos tan erfc lgamma tgamma atan2 fmod \
  remainder fdim pow ldexp scalbn scalbln cosh sinh hypot nextafter ilogb
CHECKED := $(foreach f,$(CHECKED),$f $ff $fl) y0 y1 yn y0f y1f ynf fma fmaf
$(OBJ)/src/math/%.bc: EXTRA := $(foreach f,$(CHECKED),-D$f=__homi_$f)
# Our own files use what glibc declares.
$(OBJ)/src/glibc/%.bc: EXTRA := -std=gnu11 -D_GNU_SOURCE -I$(TREE) -I$(TREE)/gnulib

$(OBJ)/%.bc: $(TREE)/%.c $(GENERATED) $(HEADERS) $(THIS)
	@mkdir -p $(@D)
	@$(CLANG) $(FLAGS) $(EXTRA) -c $< -o $@

$(OBJ)/include/bits/alltypes.h: $(TREE)/arch/homi/bits/alltypes.h.in $(TREE)/include/alltypes.h.in
	@mkdir -p $(@D)
	sed -f $(TREE)/tools/mkalltypes.sed $^ > $@

$(OBJ)/include/bits/syscall.h: $(TREE)/arch/homi/bits/syscall.h.in
	@mkdir -p $(@D)
	cp $< $@
	sed -n -e s/__NR_/SYS_/p < $< >> $@

$(OBJ)/src/internal/version.h: $(TREE)/VERSION
	@mkdir -p $(@D)
	printf '#define VERSION "%s"\n' "$$(cat $<)" > $@
