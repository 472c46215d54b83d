//! Inline assembly: statements without effect and, in `assembly_machine`, plain integer
//! instructions; others are unsupported features, reported with their text.
//!
//! Invariant: a statement is understood completely, with its constraints, or it is unsupported.

pub(super) mod flow;
pub(super) mod machine;
pub(super) mod more;
pub(super) mod scalar;
pub(super) mod statement;
pub(super) mod step;
pub(super) mod string_names;
pub(super) mod strings;
pub(super) mod text;
pub(super) mod x87;

use self::step::WITHOUT_EFFECT;
use self::text::is_jump;
use super::Unsupported;
use super::function::Body;
use super::types::Scalar;
use crate::c_api::Value;

impl Body<'_, '_> {
    pub fn lower_assembly(&mut self, inst: Value, assembly: Value) -> Result<(), Unsupported> {
        let (template, constraints) = assembly.assembly();
        if assembly.is_intel_assembly() && !template.trim().is_empty() {
            return Err(Unsupported::new(format!(
                "inline assembly of Intel's dialect \"{template}\""
            )));
        }
        let leaves = self.module.types.leaves(inst.ty())?;
        let text = code_only(&normalise(&template));
        let indirect_output = constraints.contains("=*");
        match text.as_str() {
            "" if leaves.is_empty() => return Ok(()),
            "" => return self.lower_empty_assembly(inst, &constraints),
            _ if leaves.is_empty() && !indirect_output && has_no_effect(&text) => return Ok(()),
            _ => {
                let results: Vec<Scalar> = leaves.iter().map(|leaf| leaf.scalar).collect();
                if self.lower_instructions(inst, &text, &constraints, &results)? {
                    return Ok(());
                }
            }
        }
        Err(Unsupported::new(format!(
            "inline assembly \"{text}\" ({constraints})"
        )))
    }

    /// Lowers statements such as `asm("" : "+r"(x))`: each output is the input tied to it.
    fn lower_empty_assembly(&mut self, inst: Value, constraints: &str) -> Result<(), Unsupported> {
        let unknown = || Unsupported::new(format!("empty inline assembly ({constraints})"));
        let list: Vec<&str> = constraints
            .split(',')
            .filter(|item| !item.starts_with('~'))
            .collect();
        let outputs = list
            .iter()
            .filter(|item| item.starts_with('=') && !item.starts_with("=*"))
            .count();
        let inputs: Vec<&str> = list
            .iter()
            .filter(|item| !item.starts_with('=') || item.starts_with("=*"))
            .copied()
            .collect();
        let zeros = self.zeros(inst)?;
        let mut slots = Vec::new();
        for output in 0..outputs {
            let tied = inputs
                .iter()
                .position(|item| item.parse::<usize>() == Ok(output));
            match tied {
                Some(position) => slots.extend(self.operand(inst.operand(position as u32))?),
                None => slots.push(*zeros.get(output).ok_or_else(unknown)?),
            }
        }
        if slots.len() != zeros.len() {
            return Err(unknown());
        }
        self.define(inst, slots);
        Ok(())
    }
}

/// Returns true if all instructions wait, order accesses, pad or align code.
fn has_no_effect(text: &str) -> bool {
    // A locked addition of nothing to the top of the stack is the oldest full barrier.
    let text = text.replace("lock addl ", "lock; addl ");
    if matches!(
        text.as_str(),
        "lock; addl $$0, 0(%rsp)" | "lock; addl $$0, (%rsp)" | "lock; addl $$0, 0(%esp)"
    ) {
        return true;
    }
    text.split("; ")
        .all(|statement| statement == "rep" || WITHOUT_EFFECT.contains(&statement))
}

/// Directives that describe code or data and do not generate executed code.
const DESCRIPTIONS: &[&str] = &[
    ".p2align",
    ".balign",
    ".align",
    ".type",
    ".size",
    ".globl",
    ".global",
    ".local",
    ".weak",
    ".hidden",
    ".protected",
    ".ident",
    ".file",
    ".loc",
    ".comm",
    ".set",
    ".equ",
    ".symver",
    ".ifndef",
    ".ifdef",
    ".endif",
    ".text",
];

/// Instructions that are padding or hints, with whatever operands.
const HINTS: &[&str] = &[
    "nop",
    "nopw",
    "nopl",
    "endbr64",
    "endbr32",
    "prefetcht0",
    "prefetcht1",
    "prefetcht2",
    "prefetchnta",
    "prefetchw",
    "clflush",
    "clflushopt",
    "clwb",
    "emms",
    "vzeroupper",
    "fwait",
];

/// A normalized text without what only describes: other sections with all in them, as notes of
/// tracing probes, labels that nothing of the text jumps to, alignment, hints.
fn code_only(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let labels = labels_of_jumps(text);
    // How many sections have been pushed, and whether a named one took the place of the code's.
    let (mut pushed, mut is_elsewhere) = (0u32, false);
    for statement in text.split("; ") {
        let all = statement;
        let statement = without_labels(all);
        if pushed == 0 && !is_elsewhere {
            let before = all[..all.len() - statement.len()].split_inclusive(':');
            kept.extend(
                before
                    .map(str::trim_start)
                    .filter(|label| labels.iter().any(|known| known == label)),
            );
        }
        let (word, rest) = statement.split_once(' ').unwrap_or((statement, ""));
        match word {
            ".pushsection" => pushed += 1,
            ".popsection" => pushed = pushed.saturating_sub(1),
            ".section" => is_elsewhere = !rest.starts_with(".text"),
            ".previous" | ".text" => is_elsewhere = false,
            _ if pushed > 0 || is_elsewhere || statement.is_empty() => {}
            _ if DESCRIPTIONS.contains(&word) || HINTS.contains(&word) => {}
            ".byte" => match spelled_out(rest) {
                Some("nop") => {}
                Some(name) => kept.push(name),
                None => kept.push(statement),
            },
            _ => kept.push(statement),
        }
    }
    kept.join("; ")
}

/// The instruction that some bytes are, for assemblers that do not know its name.
fn spelled_out(list: &str) -> Option<&'static str> {
    let byte = |word: &str| match word.trim().strip_prefix("0x") {
        Some(digits) => u8::from_str_radix(digits, 16).ok(),
        None => word.trim().parse().ok(),
    };
    let bytes: Vec<u8> = list.split(',').map(byte).collect::<Option<_>>()?;
    let prefixes = bytes.iter().take_while(|byte| **byte == 0x66).count();
    match bytes[prefixes..] {
        [0x90] | [0x0f, 0x1f, ..] => Some("nop"),
        [0xf3, 0x90] | [0xf3, 0x0f, 0x1e, 0xfa] => Some("nop"),
        [0x0f, 0x01, 0xd0] => Some("xgetbv"),
        [0x0f, 0xa2] => Some("cpuid"),
        [0x0f, 0x31] => Some("rdtsc"),
        [0x0f, 0x05] => Some("syscall"),
        _ => None,
    }
}

/// The labels that jumps of a normalized text go to, each with its colon.
fn labels_of_jumps(text: &str) -> Vec<String> {
    let statements = text.split("; ").map(without_labels);
    let jumps = statements.filter_map(|statement| statement.split_once(' '));
    let goals = jumps.filter(|(word, goal)| is_jump(word) && !goal.starts_with('$'));
    let label = |goal: &str| {
        let number = goal.trim_end_matches(['b', 'f']);
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        format!("{}:", if is_number { number } else { goal })
    };
    goals.map(|(_, goal)| label(goal)).collect()
}

/// A statement behind the labels at its start.
fn without_labels(statement: &str) -> &str {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "._$".contains(letter);
    match statement.split_once(':') {
        Some((label, rest)) if !label.is_empty() && label.chars().all(is_name) => {
            without_labels(rest.trim_start())
        }
        _ => statement,
    }
}

/// The template with the first of each choice of dialects, `$(att$|intel$)`.
fn first_dialect(template: &str) -> String {
    let mut parts = template.split("$(");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (choice, rest) = part.split_once("$)").unwrap_or((part, ""));
        text += choice.split("$|").next().unwrap_or_default();
        text += rest;
    }
    text
}

/// The template with one space between words and after commas, none at the ends, and without the
/// empty lines of comments.
fn normalise(template: &str) -> String {
    let template = first_dialect(template).replace("${:uid}", "_uid");
    let lines = template.lines().map(|line| match line.split_once('#') {
        Some((code, _)) if !line.contains('"') => code,
        _ => line,
    });
    let lines = lines.flat_map(|line| line.split(';')).map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let line = words.join(" ");
        let parts: Vec<&str> = line.split(',').map(str::trim).collect();
        parts.join(", ")
    });
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("; ")
}

#[cfg(test)]
mod tests {
    use super::{code_only, has_no_effect, normalise};

    #[test]
    fn spacing_and_empty_lines_do_not_matter() {
        assert_eq!(normalise("\tbsfl\t$1, $0 ;\n"), "bsfl $1, $0");
        assert_eq!(normalise("bsfl $1,$0"), "bsfl $1, $0");
        assert_eq!(normalise(" \n"), "");
        assert_eq!(normalise("a\n\tb"), "a; b");
    }

    #[test]
    fn notes_of_trace_points_are_left_out_and_code_is_kept() {
        let probe = "990: nop\n.pushsection .note, \"\", @note\n.4byte 992f-991f\n\
                     991: .asciz \"a\"\n.popsection\n.ifndef base\n.pushsection .base\n\
                     base: .space 1\n.popsection\n.endif";
        assert_eq!(code_only(&normalise(probe)), "");
        let lock = ".section .smp_locks, \"a\"\n.quad 661f\n.previous\n661: lock\n incl $0";
        assert_eq!(code_only(&normalise(lock)), "lock; incl $0");
        assert_eq!(code_only(&normalise("mov $1, $0 # copy")), "mov $1, $0");
    }

    #[test]
    fn labels_that_jumps_go_to_stay() {
        let text = "1: lodsb; testb %al, %al; jne 1b; .Lend_uid: nop; 7: incl $0";
        let code = "1:; lodsb; testb %al, %al; jne 1b; incl $0";
        assert_eq!(code_only(text), code);
        let text = "jmp .Lend${:uid}\n incl $0\n.Lend${:uid}: xchg$(l$) $0, $(%eax$|eax$)";
        let code = "jmp .Lend_uid; incl $0; .Lend_uid:; xchgl $0, %eax";
        assert_eq!(code_only(&normalise(text)), code);
    }

    /// Alignment of code, as zstd has it before its loops, is nothing.
    #[test]
    fn alignment_and_padding_have_no_effect() {
        for text in [".p2align 6", "nop\n\t.p2align 4", "endbr64"] {
            assert_eq!(code_only(&normalise(text)), "", "{text}");
        }
        for text in ["rep; nop", "pause"] {
            assert!(has_no_effect(&code_only(&normalise(text))), "{text}");
        }
        assert_eq!(code_only(&normalise(".byte 0x0f,0x01,0xd0")), "xgetbv");
        assert_eq!(
            code_only(&normalise("1: .byte 0x0f,0x1f,0x44,0x00,0x00")),
            ""
        );
        for text in ["nop; mov $1, $0", "repne scasb", ".byte 0x0f"] {
            assert!(!has_no_effect(&code_only(&normalise(text))), "{text}");
        }
    }
}
