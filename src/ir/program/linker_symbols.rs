//! Names that a linker gives to the borders of a program's code and data.
//!
//! Invariant: a name that the program defines itself is none of these.

/// A border that a linker names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LinkerSymbol {
    /// Before the first function.
    CodeStart,
    /// Behind the last function.
    CodeEnd,
    /// Before the variables that have values from the start.
    DataStart,
    /// Between those and the ones that are zero.
    DataEnd,
    /// Behind the last variable.
    End,
}

/// Returns the section boundary that a name denotes.
pub fn linker_symbol(name: &str) -> Option<LinkerSymbol> {
    Some(match name {
        "__executable_start" | "__ehdr_start" => LinkerSymbol::CodeStart,
        "etext" | "_etext" | "__etext" => LinkerSymbol::CodeEnd,
        "data_start" | "__data_start" => LinkerSymbol::DataStart,
        "edata" | "_edata" | "__bss_start" => LinkerSymbol::DataEnd,
        "end" | "_end" => LinkerSymbol::End,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{LinkerSymbol, linker_symbol};

    #[test]
    fn borders_are_in_the_order_of_a_program() {
        let names = [
            "__executable_start",
            "etext",
            "data_start",
            "__bss_start",
            "_end",
        ];
        let borders: Vec<LinkerSymbol> = names
            .iter()
            .filter_map(|name| linker_symbol(name))
            .collect();
        assert_eq!(borders.len(), names.len());
        assert!(borders.is_sorted());
        assert_eq!(linker_symbol("ending"), None);
    }
}
