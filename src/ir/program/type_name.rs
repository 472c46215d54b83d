//! Names of types in `std::type_info` (Itanium's mangling), in readable form.
//!
//! Invariant: a name that is not understood completely stays mangled.

/// Returns the meaning of a mangled type name: `std::runtime_error` for `St13runtime_error`.
pub fn type_name(mangled: &str) -> String {
    // A star before the name says that it is compared by its address.
    let mangled = mangled.strip_prefix('*').unwrap_or(mangled);
    let mut reader = Reader {
        rest: mangled,
        known: Vec::new(),
        depth: 0,
    };
    match reader.of_type() {
        Some(name) if reader.rest.is_empty() => name,
        _ => mangled.to_string(),
    }
}

/// Types in types; no program has a longer chain.
const DEEPEST: usize = 100;

const BUILT_IN: &[(char, &str)] = &[
    ('v', "void"),
    ('w', "wchar_t"),
    ('b', "bool"),
    ('c', "char"),
    ('a', "signed char"),
    ('h', "unsigned char"),
    ('s', "short"),
    ('t', "unsigned short"),
    ('i', "int"),
    ('j', "unsigned int"),
    ('l', "long"),
    ('m', "unsigned long"),
    ('x', "long long"),
    ('y', "unsigned long long"),
    ('n', "__int128"),
    ('o', "unsigned __int128"),
    ('f', "float"),
    ('d', "double"),
    ('e', "long double"),
    ('g', "__float128"),
    ('z', "..."),
];

const WITH_D: &[(&str, &str)] = &[
    ("Dn", "decltype(nullptr)"),
    ("Di", "char32_t"),
    ("Ds", "char16_t"),
    ("Du", "char8_t"),
    ("Da", "auto"),
];

const STANDARD: &[(&str, &str)] = &[
    ("Sa", "std::allocator"),
    ("Sb", "std::basic_string"),
    ("Ss", "std::string"),
    ("Si", "std::istream"),
    ("So", "std::ostream"),
    ("Sd", "std::iostream"),
];

/// Rest of a name, and the parts of it that later substitutions refer to.
struct Reader<'n> {
    rest: &'n str,
    known: Vec<String>,
    depth: usize,
}

impl<'n> Reader<'n> {
    fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn one_of(&mut self, table: &[(&str, &str)]) -> Option<String> {
        let found = table.iter().find(|(code, _)| self.rest.starts_with(code))?;
        self.take(found.0);
        Some(found.1.to_string())
    }

    fn of_type(&mut self) -> Option<String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let name = self.of_type_here();
        self.depth -= 1;
        name
    }

    fn of_type_here(&mut self) -> Option<String> {
        let first = self.rest.chars().next()?;
        if let Some((_, name)) = BUILT_IN.iter().find(|(code, _)| *code == first) {
            self.take(first.encode_utf8(&mut [0; 4]));
            return Some((*name).to_string());
        }
        if let Some(name) = self.one_of(WITH_D) {
            return Some(name);
        }
        let after = [
            ('P', "*"),
            ('R', "&"),
            ('O', "&&"),
            ('K', " const"),
            ('V', " volatile"),
        ];
        if let Some((code, suffix)) = after.iter().find(|(code, _)| *code == first) {
            self.take(code.encode_utf8(&mut [0; 4]));
            let inner = self.of_type()?;
            let name = match inner.split_once("(*)") {
                // To a function.
                Some((returned, rest)) => format!("{returned}({suffix}*){rest}"),
                None => format!("{inner}{suffix}"),
            };
            let name = name.replace("(**)", "(*)");
            self.known.push(name.clone());
            return Some(name);
        }
        if self.take("A") {
            let digits = self.digits();
            let inner = self.take("_").then(|| self.of_type())??;
            let name = format!("{inner} [{digits}]");
            self.known.push(name.clone());
            return Some(name);
        }
        if self.take("F") {
            return self.of_function();
        }
        self.of_class()
    }

    /// A function's type, as a pointer to it is written.
    fn of_function(&mut self) -> Option<String> {
        let returned = self.of_type()?;
        let mut parameters = Vec::new();
        while !self.take("E") {
            parameters.push(self.of_type()?);
        }
        if parameters == ["void"] {
            parameters.clear();
        }
        let name = format!("{returned} (*)({})", parameters.join(", "));
        self.known.push(name.clone());
        Some(name)
    }

    fn digits(&mut self) -> &'n str {
        let length = self.rest.len()
            - self
                .rest
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .len();
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        digits
    }

    /// A class, with its namespaces and its template's arguments.
    fn of_class(&mut self) -> Option<String> {
        if self.take("N") {
            let mut name = String::new();
            while !self.take("E") {
                name = self.part_of(name)?;
            }
            return (!name.is_empty()).then_some(name);
        }
        let mut name = self.part_of(String::new())?;
        if name == "std" {
            name = self.part_of(name)?;
        }
        if self.rest.starts_with('I') {
            name = self.part_of(name)?;
        }
        Some(name)
    }

    /// A name with one more part behind it.
    fn part_of(&mut self, name: String) -> Option<String> {
        let joined = |part: &str| {
            if name.is_empty() {
                part.to_string()
            } else {
                format!("{name}::{part}")
            }
        };
        if self.take("St") {
            return Some("std".to_string());
        }
        if let Some(whole) = self.one_of(STANDARD) {
            return Some(whole);
        }
        if self.rest.starts_with('S') {
            return self.substitution();
        }
        if self.take("I") {
            let mut arguments = Vec::new();
            while !self.take("E") {
                arguments.push(self.argument()?);
            }
            let name = format!("{name}<{}>", arguments.join(", "));
            self.known.push(name.clone());
            return Some(name);
        }
        let length: usize = self.digits().parse().ok()?;
        let part = self.rest.get(..length)?;
        self.rest = &self.rest[length..];
        let part = if part.starts_with("_GLOBAL__N_") {
            "(anonymous namespace)"
        } else {
            part
        };
        let name = joined(part);
        // The library's own inner namespaces are left out by those who write about it, too.
        let name = name
            .replace("std::__1", "std")
            .replace("std::__cxx11", "std");
        self.known.push(name.clone());
        Some(name)
    }

    /// An argument of a template.
    fn argument(&mut self) -> Option<String> {
        if !self.take("L") {
            return self.of_type();
        }
        let of = self.of_type()?;
        let sign = if self.take("n") { "-" } else { "" };
        let digits = self.digits();
        let value = match (of.as_str(), digits) {
            ("bool", "0") => "false".to_string(),
            ("bool", "1") => "true".to_string(),
            _ => format!("{sign}{digits}"),
        };
        self.take("E").then_some(value)
    }

    /// Reads a substitution: `S_` is the first part, `S0_` the second.
    fn substitution(&mut self) -> Option<String> {
        self.take("S");
        let end = self.rest.find('_')?;
        let (digits, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        let index = match digits {
            "" => 0,
            digits => usize::from_str_radix(digits, 36).ok()? + 1,
        };
        self.known.get(index).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::type_name;

    #[test]
    fn names_of_types_are_spelled_as_in_the_source() {
        for (mangled, words) in [
            ("i", "int"),
            ("PKc", "char const*"),
            ("St13runtime_error", "std::runtime_error"),
            ("4Shop", "Shop"),
            ("N4shop4CartE", "shop::Cart"),
            ("*N12_GLOBAL__N_15LocalE", "(anonymous namespace)::Local"),
            ("3BoxIiLi3ELb1EE", "Box<int, 3, true>"),
            ("N4shop3BoxINS_4CartEEE", "shop::Box<shop::Cart>"),
            ("St9exception", "std::exception"),
            ("PFivE", "int (*)()"),
            (
                "NSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE",
                "std::basic_string<char, std::char_traits<char>, std::allocator<char>>",
            ),
        ] {
            assert_eq!(type_name(mangled), words);
        }
    }

    #[test]
    fn other_symbols_are_printed_unchanged() {
        for mangled in ["", "N", "99x", "S_", "NSt", "IIIIII", "PPPPP", "\u{e9}4abc"] {
            assert_eq!(type_name(mangled), mangled);
        }
        let long = "P".repeat(100_000);
        assert_eq!(type_name(&long), long);
    }
}
