//! Options of gcc and clang that are known by name: whether their value is the next argument, and
//! whether clang gets them when it makes bitcode.
//!
//! Invariant: an option that may be written both ways (`-Ipath`, `-I path`) takes the next argument
//! only if it stands alone. Of two rows that an argument begins with the longer one counts. Source:
//! gcc's manual, "Option Summary"; clang's "Command Line Argument Reference".

/// Properties of options with this prefix.
struct Known {
    begin: &'static str,
    /// Written just so, it takes the next argument.
    takes_next: bool,
    /// True if the option affects the meaning of the source.
    stays: bool,
}

/// A value may follow; clang does without.
const fn value(begin: &'static str) -> Known {
    Known {
        begin,
        takes_next: true,
        stays: false,
    }
}

/// A value may follow, and clang gets both.
const fn meaning_with_value(begin: &'static str) -> Known {
    Known {
        begin,
        takes_next: true,
        stays: true,
    }
}

/// clang gets it; no argument follows.
const fn meaning(begin: &'static str) -> Known {
    Known {
        begin,
        takes_next: false,
        stays: true,
    }
}

const KNOWN: [Known; 67] = [
    value("-o"),
    value("-x"),
    value("-L"),
    value("-l"),
    value("-A"),
    value("-B"),
    value("-F"),
    value("-T"),
    value("-u"),
    value("-e"),
    value("-z"),
    value("-h"),
    value("-G"),
    value("-V"),
    value("-b"),
    value("-R"),
    value("-imultilib"),
    value("-imultiarch"),
    value("-MF"),
    value("-MT"),
    value("-MQ"),
    value("-MJ"),
    value("-Xlinker"),
    value("-Xassembler"),
    value("-Xclang"),
    value("-Xanalyzer"),
    value("-Xopenmp-target"),
    value("-aux-info"),
    value("--param"),
    value("-dumpbase"),
    value("-dumpbase-ext"),
    value("-dumpdir"),
    value("-wrapper"),
    value("-specs"),
    value("-mllvm"),
    value("-arch"),
    value("-framework"),
    value("-gcc-toolchain"),
    value("-rpath"),
    meaning_with_value("-I"),
    meaning_with_value("-D"),
    meaning_with_value("-U"),
    meaning_with_value("-include"),
    meaning_with_value("-imacros"),
    meaning_with_value("-isystem"),
    meaning_with_value("-iquote"),
    meaning_with_value("-idirafter"),
    meaning_with_value("-iprefix"),
    meaning_with_value("-iwithprefix"),
    meaning_with_value("-iwithprefixbefore"),
    meaning_with_value("-isysroot"),
    meaning_with_value("-cxx-isystem"),
    meaning_with_value("--sysroot"),
    meaning_with_value("-target"),
    meaning_with_value("--target"),
    meaning_with_value("-Xpreprocessor"),
    meaning("-std="),
    meaning("--std="),
    meaning("-ansi"),
    meaning("-nostdinc"),
    meaning("-undef"),
    meaning("-trigraphs"),
    meaning("-pthread"),
    meaning("-m"),
    meaning("-stdlib="),
    meaning("-f"),
    meaning("-Wp,"),
];

/// True if the next argument belongs to this one.
pub fn takes_next(argument: &str) -> bool {
    let mut known = KNOWN.iter();
    known.any(|known| known.takes_next && known.begin == argument)
}

/// True if clang gets an option that begins with this argument.
pub fn stays(argument: &str) -> bool {
    let known = KNOWN
        .iter()
        .filter(|known| argument.starts_with(known.begin));
    let longest = known.max_by_key(|known| known.begin.len());
    longest.is_some_and(|known| known.stays)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_beginning_counts() {
        assert!(stays("-msse4.2") && !stays("-mllvm") && takes_next("-mllvm"));
        assert!(stays("-undef") && !stays("-u") && !takes_next("-undef"));
        assert!(stays("-Iinc") && takes_next("-I") && !takes_next("-Iinc"));
        assert!(!stays("-O2") && !stays("-Wall"));
    }
}
