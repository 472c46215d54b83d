//! The text form of an instruction: the word of its row in the table, and its fields.

use super::field::{Words, put};
use crate::program::Inst;
use crate::program::instructions::instructions;

macro_rules! text_form {
    ($(
        $(#[$doc:meta])* $name:ident $word:literal $effect:ident $(unless ($acts:expr))?
        $({ $($field:ident : $kind:ident $(($($of:tt)*))?),* })? $(where ($rule:expr))?;
    )*) => {
        /// Appends the instruction's name and fields.
        pub fn write_instruction(inst: &Inst, out: &mut String) {
            match inst {
                $(Inst::$name $({ $($field),* })? => {
                    out.push_str($word);
                    $($(put(out, $field);)*)?
                })*
            }
        }

        /// The instruction that a line starts with.
        pub fn read_instruction(words: &mut Words) -> Result<Inst, String> {
            let name = words.word()?.to_string();
            match name.as_str() {
                $($word => Ok(Inst::$name $({ $($field: words.read()?),* })?),)*
                _ => Err(format!("`{name}` is no instruction")),
            }
        }
    };
}

instructions!(text_form);
