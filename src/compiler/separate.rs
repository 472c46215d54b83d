//! Options of gcc and clang whose value is the next word.
//!
//! Invariant: an option that may be written both ways (`-Ipath`, `-I path`) takes the next word
//! only if it stands alone. Source: gcc's manual, "Option Summary"; clang's "Command Line Argument
//! Reference".

/// Options that, written just so, take the next word.
const SEPARATE: [&str; 56] = [
    "-o",
    "-x",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-A",
    "-B",
    "-F",
    "-T",
    "-u",
    "-e",
    "-z",
    "-h",
    "-G",
    "-V",
    "-b",
    "-R",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "-imultiarch",
    "-cxx-isystem",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-Xanalyzer",
    "-Xopenmp-target",
    "-aux-info",
    "--param",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-wrapper",
    "-specs",
    "--sysroot",
    "-target",
    "--target",
    "-mllvm",
    "-arch",
    "-framework",
    "-gcc-toolchain",
    "-rpath",
];

/// True if the next word belongs to this one.
pub fn takes_next(word: &str) -> bool {
    SEPARATE.contains(&word)
}
