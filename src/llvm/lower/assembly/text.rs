//! The text of inline assembly as instructions: mnemonics, widths and operands of x86 in AT&T's
//! order, and what the constraints say of the operands.
//!
//! Invariant: what is not understood whole is nothing (`None`), never a guess.

use super::string_names::{self, PREFIXES};

/// An operand of one instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// `$0`, `${0:b}`: an operand of the statement, with the letter that names a part of it.
    Operand(usize, Option<char>),
    /// `%cl`: a register by its 64-bit name without the r, with its width in bits; `high` is for
    /// ah, bh, ch and dh.
    Register {
        name: String,
        width: u8,
        high: bool,
    },
    Immediate(i64),
    /// The place that a jump within the statement goes to, as it is written (`1b`), or the name of
    /// a label.
    Label(String),
    /// `%st(2)`: this many numbers below the top of the x87's stack.
    Stack(usize),
    /// A place in memory, as in `8($0, %rcx, 4)`.
    Memory {
        displacement: i64,
        base: Option<Box<Word>>,
        index: Option<(Box<Word>, u8)>,
    },
}

/// One instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// The mnemonic, without the suffix for the width where `width` has it.
    pub name: String,
    /// The operands' width in bits, where the mnemonic says it.
    pub width: Option<u8>,
    /// The operands in AT&T's order: sources first.
    pub operands: Vec<Word>,
}

/// Location of an operand that a constraint allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Home {
    /// Any register or, for an input, a constant.
    Any,
    /// A register by its 64-bit name without the r.
    Register(String),
    /// This many numbers below the top of the x87's stack.
    Stack(usize),
    /// A register for a floating-point number, or for several.
    Vector,
    /// The place of the output of this number.
    Tied(usize),
    /// The target of the argument.
    Memory,
    /// A condition of the flags, such as `c` or `nz`.
    Flag(String),
    /// A label of the function, to which `asm goto` may jump.
    Label,
}

/// An operand of the statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    pub is_output: bool,
    pub home: Home,
}

/// The operands that a list of constraints declares, outputs first.
pub fn constraints(list: &str) -> Option<Vec<Constraint>> {
    let mut found = Vec::new();
    for item in list.split(',').filter(|item| !item.starts_with('~')) {
        let output = item.strip_prefix('=');
        let rest = output.unwrap_or(item).trim_start_matches(['&', '%']);
        let home = match rest.strip_prefix("{@cc") {
            Some(condition) => Home::Flag(condition.strip_suffix('}')?.to_string()),
            None if rest.starts_with('*') => Home::Memory,
            None if rest.starts_with('!') => Home::Label,
            None => match rest.strip_prefix('{') {
                // An operand that may be a register or a constant is in the register.
                Some(named) => {
                    let name = named.split('}').next()?;
                    match stack_place(name) {
                        Some(place) => Home::Stack(place),
                        None => Home::Register(register(name)?.0),
                    }
                }
                None if matches!(rest, "x" | "v") => Home::Vector,
                None => rest.parse().map_or(Home::Any, Home::Tied),
            },
        };
        if matches!(home, Home::Any)
            && !rest
                .chars()
                .all(|letter| "rqQRabcdSDmgieInIJKLMNOZX".contains(letter))
        {
            return None;
        }
        found.push(Constraint {
            is_output: output.is_some(),
            home,
        });
    }
    Some(found)
}

/// The instructions of a normalized text; prefixes that order or repeat nothing are left out.
pub fn instructions(text: &str) -> Option<Vec<Instruction>> {
    let mut list = Vec::new();
    // A prefix may be a separate statement.
    let text = PREFIXES.iter().fold(text.to_string(), |text, prefix| {
        text.replace(&format!("{prefix}; "), &format!("{prefix} "))
    });
    for statement in text.split("; ") {
        let statement = statement.strip_prefix("lock ").unwrap_or(statement);
        if statement != "lock" {
            list.push(instruction(statement)?);
        }
    }
    Some(list)
}

/// The name of a label, which is not an instruction.
pub const LABEL: &str = ":";

/// Returns true if a mnemonic may jump to a label.
pub fn is_jump(mnemonic: &str) -> bool {
    mnemonic.starts_with('j')
        || matches!(mnemonic, "loop" | "loope" | "loopz" | "loopne" | "loopnz")
}

fn instruction(statement: &str) -> Option<Instruction> {
    let plain = |name: &str, operands: Vec<Word>| Instruction {
        name: name.to_string(),
        width: None,
        operands,
    };
    if let Some(label) = statement.strip_suffix(':') {
        return Some(plain(LABEL, vec![Word::Label(label.to_string())]));
    }
    let prefix = statement.split(' ').next().unwrap_or_default();
    if PREFIXES.contains(&prefix) || string_names::is_known(statement) {
        return Some(plain(statement, Vec::new()));
    }
    let (mnemonic, rest) = statement.split_once(' ').unwrap_or((statement, ""));
    let mut operands = Vec::new();
    for word in split_outside(rest) {
        let word = if is_jump(mnemonic) && !word.starts_with('$') {
            Word::Label(word.to_string())
        } else {
            operand(word)?
        };
        operands.push(word);
    }
    if is_jump(mnemonic) {
        return Some(plain(mnemonic, operands));
    }
    let (name, width) = name_and_width(mnemonic);
    Some(Instruction {
        name,
        width,
        operands,
    })
}

/// Splits at commas outside of parentheses.
fn split_outside(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (place, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    if !text.trim().is_empty() {
        parts.push(text[start..].trim());
    }
    parts
}

/// Mnemonics that end in b, w, l or q without that being a width.
const WHOLE: &[&str] = &[
    "mul",
    "imul",
    "shl",
    "sal",
    "rol",
    "rcl",
    "cmovb",
    "cmovl",
    "setb",
    "setl",
    "sub",
    "sbb",
    "bsf",
    "cdq",
    "cltq",
    "cqto",
    "cwtl",
    "cbtw",
    "cwtd",
    "movabs",
    "syscall",
    "cmpxchg8b",
    "cmpxchg16b",
];

fn name_and_width(mnemonic: &str) -> (String, Option<u8>) {
    let narrow = |name: &str| Some((name.to_string(), None));
    let whole = match mnemonic {
        _ if WHOLE.contains(&mnemonic) || mnemonic.starts_with("set") => narrow(mnemonic),
        // Of the x87's, whose suffixes name other widths.
        _ if mnemonic.starts_with('f') => narrow(mnemonic),
        _ if mnemonic.starts_with("movz") || mnemonic.starts_with("movs") => narrow(mnemonic),
        _ => None,
    };
    whole.unwrap_or_else(|| match mnemonic.char_indices().next_back() {
        Some((end, suffix @ ('b' | 'w' | 'l' | 'q'))) if end > 1 => {
            (mnemonic[..end].to_string(), width_of(suffix))
        }
        _ => (mnemonic.to_string(), None),
    })
}

/// Returns the bits that a suffix of a mnemonic or a letter of an operand denotes.
pub fn width_of(letter: char) -> Option<u8> {
    match letter {
        'b' | 'h' => Some(8),
        'w' => Some(16),
        'l' | 'k' => Some(32),
        'q' => Some(64),
        _ => None,
    }
}

fn operand(word: &str) -> Option<Word> {
    if let Some(number) = word.strip_prefix("$$") {
        return Some(Word::Immediate(integer(number)?));
    }
    if let Some(place) = word.strip_prefix('%').and_then(stack_place) {
        return Some(Word::Stack(place));
    }
    if let Some(name) = word.strip_prefix('%') {
        let (name, width, high) = register(name)?;
        return Some(Word::Register { name, width, high });
    }
    if let Some(inside) = word.strip_prefix("${") {
        let (number, letter) = inside.strip_suffix('}')?.split_once(':')?;
        let mut letters = letter.chars();
        let first = letters.next();
        return letters
            .next()
            .is_none()
            .then_some(Word::Operand(number.parse().ok()?, first));
    }
    if let Some(number) = word.strip_prefix('$') {
        return Some(Word::Operand(number.parse().ok()?, None));
    }
    let (displacement, inside) = word.strip_suffix(')')?.split_once('(')?;
    let displacement = if displacement.is_empty() {
        0
    } else {
        integer(displacement)?
    };
    let mut parts = inside.split(',').map(str::trim);
    let base = match parts.next()? {
        "" => None,
        base => Some(Box::new(operand(base)?)),
    };
    let index = match parts.next() {
        None => None,
        Some(index) => {
            let scale = parts.next().map_or(Some(1), |scale| scale.parse().ok())?;
            Some((Box::new(operand(index)?), scale))
        }
    };
    Some(Word::Memory {
        displacement,
        base,
        index,
    })
}

/// Returns the distance of `st` or `st(N)` from the top of the x87's stack.
fn stack_place(name: &str) -> Option<usize> {
    if name == "st" {
        return Some(0);
    }
    let number = name.strip_prefix("st(")?.strip_suffix(')')?;
    number.parse().ok().filter(|number| *number < 8)
}

fn integer(text: &str) -> Option<i64> {
    let (digits, is_negative) = text
        .strip_prefix('-')
        .map_or((text, false), |rest| (rest, true));
    let value = match digits.strip_prefix("0x") {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16).ok()? as i64,
        None => digits.parse::<u64>().ok()? as i64,
    };
    Some(if is_negative {
        value.wrapping_neg()
    } else {
        value
    })
}

/// A register's 64-bit name without the r, the width of the part that is named, and whether it is
/// the second byte. Not the stack's.
fn register(name: &str) -> Option<(String, u8, bool)> {
    let plain = |name: &str, width, high| Some((name.to_string(), width, high));
    if let Some(number) = name
        .strip_prefix('r')
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        let digits = number.trim_end_matches(['d', 'w', 'b']);
        let width = match &number[digits.len()..] {
            "" => 64,
            "d" => 32,
            "w" => 16,
            "b" => 8,
            _ => return None,
        };
        return matches!(digits.parse(), Ok(8..=15)).then(|| (format!("r{digits}"), width, false));
    }
    if let "rsp" | "rbp" = name {
        return plain(&name[1..], 64, false);
    }
    for family in ["ax", "bx", "cx", "dx", "si", "di"] {
        let letter = &family[..1];
        match name {
            _ if name == family => return plain(family, 16, false),
            _ if name.strip_prefix('r') == Some(family) => return plain(family, 64, false),
            _ if name.strip_prefix('e') == Some(family) => return plain(family, 32, false),
            _ if name.strip_suffix('l') == Some(family) => return plain(family, 8, false),
            _ if family.ends_with('x') && name.strip_suffix('l') == Some(letter) => {
                return plain(family, 8, false);
            }
            _ if family.ends_with('x') && name.strip_suffix('h') == Some(letter) => {
                return plain(family, 8, true);
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_read_whole_or_not_at_all() {
        let list = instructions("addq $5, ${1:q}; adcq $$-3, 8($0, %rcx, 4)").expect("understood");
        assert_eq!(list[0].name, "add");
        assert_eq!(list[0].width, Some(64));
        assert_eq!(
            list[0].operands,
            [Word::Operand(5, None), Word::Operand(1, Some('q'))]
        );
        assert_eq!(list[1].operands[0], Word::Immediate(-3));
        let Word::Memory {
            displacement: 8,
            base: Some(base),
            index: Some((_, 4)),
        } = &list[1].operands[1]
        else {
            panic!("{:?}", list[1]);
        };
        assert_eq!(**base, Word::Operand(0, None));
        assert_eq!(instructions("movq %fs:0, $0"), None);
        assert_eq!(instructions("movl %esp, $0"), None);
        assert_eq!(instructions("call foo"), None);
    }

    #[test]
    fn labels_and_jumps_are_read() {
        let list =
            instructions("1:; repe cmpsb; jne 1b; loop .Lx; jmp ${2:l}").expect("understood");
        let label = |name: &str| vec![Word::Label(name.to_string())];
        assert_eq!(
            (list[0].name.as_str(), &list[0].operands),
            (LABEL, &label("1"))
        );
        assert_eq!(list[1].name, "repe cmpsb");
        assert_eq!(list[2].operands, label("1b"));
        assert_eq!(list[3].operands, label(".Lx"));
        assert_eq!(list[4].operands, [Word::Operand(2, Some('l'))]);
    }

    #[test]
    fn suffixes_differ_from_names() {
        for (text, name, width) in [
            ("mulq", "mul", Some(64)),
            ("mul", "mul", None),
            ("setb", "setb", None),
            ("rolw", "rol", Some(16)),
        ] {
            assert_eq!(name_and_width(text), (name.to_string(), width));
        }
    }

    #[test]
    fn registers_have_parts() {
        assert_eq!(register("eax"), Some(("ax".to_string(), 32, false)));
        assert_eq!(register("bh"), Some(("bx".to_string(), 8, true)));
        assert_eq!(register("r10d"), Some(("r10".to_string(), 32, false)));
        assert_eq!(register("sil"), Some(("si".to_string(), 8, false)));
        assert_eq!(register("rsp"), Some(("sp".to_string(), 64, false)));
        assert_eq!(register("esp"), None);
    }

    #[test]
    fn constraints_say_where_operands_are() {
        let list = constraints("={ax},=&r,=*m,={@ccz},%0,rme,~{flags}").expect("understood");
        let homes: Vec<&Home> = list.iter().map(|constraint| &constraint.home).collect();
        assert_eq!(homes[0], &Home::Register("ax".to_string()));
        assert_eq!(homes[1..3], [&Home::Any, &Home::Memory]);
        assert_eq!(homes[3], &Home::Flag("z".to_string()));
        assert_eq!(homes[4], &Home::Tied(0));
        assert!(list[3].is_output && !list[4].is_output);
        let list = constraints("=x,r").expect("understood");
        assert_eq!(list[0].home, Home::Vector);
        assert_eq!(constraints("=y,r"), None);
    }
}
