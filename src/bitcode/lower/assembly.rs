//! Inline assembly: statements that do nothing and, in `assembly_machine`, those of plain integer
//! instructions; the rest is a gap with its text.
//!
//! Invariant: a statement is understood as a whole, with its constraints, or it is a gap.

use super::Gap;
use super::assembly_step::WITHOUT_EFFECT;
use super::function::Body;
use crate::bitcode::llvm::Value;

impl Body<'_, '_> {
    pub fn lower_assembly(&mut self, inst: Value, assembly: Value) -> Result<(), Gap> {
        let (template, constraints) = assembly.assembly();
        let leaves = self.module.types.leaves(inst.ty())?;
        let text = normalise(&template);
        let indirect_output = constraints.contains("=*");
        match text.as_str() {
            "" if leaves.is_empty() => return Ok(()),
            "" => return self.lower_empty_assembly(inst, &constraints),
            _ if leaves.is_empty() && !indirect_output && has_no_effect(&text) => return Ok(()),
            _ => {
                let results: Vec<u8> = leaves.iter().map(|leaf| leaf.scalar.width()).collect();
                if self.lower_instructions(inst, &text, &constraints, &results)? {
                    return Ok(());
                }
            }
        }
        Err(Gap::new(format!(
            "inline assembly \"{text}\" ({constraints})"
        )))
    }

    /// `asm("" : "+r"(x))` and the like: each output is the input tied to it.
    fn lower_empty_assembly(&mut self, inst: Value, constraints: &str) -> Result<(), Gap> {
        let unknown = || Gap::new(format!("empty inline assembly ({constraints})"));
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

/// Whether all statements wait, order accesses, pad or align code.
fn has_no_effect(text: &str) -> bool {
    // A locked addition of nothing to the top of the stack is the oldest full barrier.
    let text = text.replace("lock addl ", "lock; addl ");
    if matches!(
        text.as_str(),
        "lock; addl $$0, 0(%rsp)" | "lock; addl $$0, (%rsp)" | "lock; addl $$0, 0(%esp)"
    ) {
        return true;
    }
    text.split("; ").all(|statement| {
        let directive = statement.split(' ').next().unwrap_or_default();
        statement == "rep"
            || WITHOUT_EFFECT.contains(&statement)
            || matches!(directive, ".p2align" | ".balign" | ".align")
    })
}

/// The template with one space between words and after commas, none at the ends, and without the
/// empty lines of comments.
fn normalise(template: &str) -> String {
    let lines = template.split(['\n', ';']).map(|line| {
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
    use super::{has_no_effect, normalise};

    #[test]
    fn spacing_and_empty_lines_do_not_matter() {
        assert_eq!(normalise("\tbsfl\t$1, $0 ;\n"), "bsfl $1, $0");
        assert_eq!(normalise("bsfl $1,$0"), "bsfl $1, $0");
        assert_eq!(normalise(" \n"), "");
        assert_eq!(normalise("a\n\tb"), "a; b");
    }

    /// Alignment of code, as zstd has it before its loops, is nothing.
    #[test]
    fn alignment_and_padding_have_no_effect() {
        for text in [".p2align 6", "nop\n\t.p2align 4", "rep; nop", "pause"] {
            assert!(has_no_effect(&normalise(text)), "{text}");
        }
        for text in ["nop; mov $1, $0", "repne scasb", ".byte 0x0f"] {
            assert!(!has_no_effect(&normalise(text)), "{text}");
        }
    }
}
