//! Inline assembly: the idioms that can be said in the IR; the rest is a gap with its text.
//!
//! Invariant: an idiom is matched on its whole text, never on a part of it, and only where its
//! constraints have the shape that the replacement assumes.

use super::Gap;
use super::function::Body;
use crate::bitcode::llvm::Value;
use crate::program::{Inst, IntUnary};

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
            "bswap $0" | "bswapl $0" | "bswapq $0" | "bswap ${0:q}"
                if leaves.len() == 1 && inst.argument_count() == 1 =>
            {
                let w = leaves[0].scalar.width();
                let src = self.scalar(inst.operand(0))?;
                return self.define_unary(inst, IntUnary::Bswap, w, src);
            }
            "rorw $$8, ${0:w}" | "rolw $$8, ${0:w}" | "xchgb ${0:b}, ${0:h}"
                if leaves.len() == 1 && leaves[0].scalar.width() == 16 =>
            {
                let src = self.scalar(inst.operand(0))?;
                return self.define_unary(inst, IntUnary::Bswap, 16, src);
            }
            "bsfl $1, $0" | "bsfq $1, $0" | "bsf $1, $0" | "tzcnt $1, $0"
                if leaves.len() == 1
                    && inst.argument_count() == 1
                    && !constraints.contains('*') =>
            {
                let w = leaves[0].scalar.width();
                let src = self.scalar(inst.operand(0))?;
                return self.define_unary(inst, IntUnary::Cttz, w, src);
            }
            _ if text.contains("cpuid") && !indirect_output => {
                // A processor without any feature: programs take their portable path.
                let zeros = self.zeros(inst)?;
                self.define(inst, zeros);
                return Ok(());
            }
            "rdtsc" | "rdtscp" if !indirect_output => {
                let zeros = self.zeros(inst)?;
                self.define(inst, zeros);
                return Ok(());
            }
            _ => {
                let results: Vec<u8> = leaves.iter().map(|leaf| leaf.scalar.width()).collect();
                if self.lower_wide_assembly(inst, &text, &constraints, &results)?
                    || self.lower_shift_assembly(inst, &text, &constraints, &results)?
                {
                    return Ok(());
                }
            }
        }
        Err(Gap::new(format!(
            "inline assembly \"{text}\" ({constraints})"
        )))
    }

    fn define_unary(
        &mut self,
        inst: Value,
        op: IntUnary,
        w: u8,
        src: crate::program::Slot,
    ) -> Result<(), Gap> {
        let dst = self.new_slot(w);
        self.emit(Inst::Unary { op, w, dst, src });
        self.define(inst, vec![dst]);
        Ok(())
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
    text.split("; ").all(|statement| {
        let directive = statement.split(' ').next().unwrap_or_default();
        matches!(
            statement,
            "pause" | "rep" | "nop" | "mfence" | "lfence" | "sfence" | "cld"
        ) || matches!(directive, ".p2align" | ".balign" | ".align")
    })
}

/// One space between words and after commas, none at the ends, no comments' empty lines.
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

    /// zstd aligns its loops like this.
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
