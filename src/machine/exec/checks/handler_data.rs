//! Operands and types of a finding of the compiler's checks: from the arguments of their handlers,
//! which begin with the address of the check's description.
//!
//! Invariant: descriptions have the form of clang's full runtime; where one has another form, there
//! is no explanation.

use super::super::context::Context;
use crate::memory::Value;
use crate::outcome::{CHECK_HANDLERS, Checked, Explanation, Form, Operand};
use homi_ir::ops::mask;

/// Bytes of the line and the column behind the name of a file.
const LINE_AND_COLUMN: u64 = 8;
/// Kinds of types in descriptions.
const INTEGER: u16 = 0;
const FLOAT: u16 = 1;

/// Accesses, by number in the description.
const ACCESSES: [&str; 12] = [
    "load of",
    "store to",
    "reference binding to",
    "member access within",
    "member call on",
    "constructor call on",
    "downcast of",
    "downcast of",
    "upcast of",
    "cast to virtual base of",
    "_Nonnull binding to",
    "dynamic operation on",
];

/// Built-in functions of the check `builtin`, by number.
const BUILTINS: [&str; 2] = ["passing zero to ctz()", "passing zero to clz()"];

/// A handler's call: its arguments, and its check.
struct Call {
    name: String,
    arguments: Vec<Value>,
    /// Address of the first part of the description behind file, line and column.
    description: u64,
}

impl Context<'_, '_> {
    /// Returns the operands of the check whose handler the path is in; `None` if it is in none.
    pub(in crate::exec) fn handler_explanation(&self) -> Option<Explanation> {
        let call = self.handler_call()?;
        let two = |checked: Checked, types: [u64; 2]| {
            let operands = (1..3).zip(types);
            let operands: Option<Vec<Operand>> = operands
                .map(|(index, part)| self.operand(&call, index, part))
                .collect();
            Some(Explanation {
                checked,
                operands: operands?,
            })
        };
        let one = |checked: Checked, part: u64| {
            let operands = vec![self.operand(&call, 1, part)?];
            Some(Explanation { checked, operands })
        };
        match call.name.as_str() {
            "add_overflow" => two(Checked::Sum("+"), [0, 0]),
            "sub_overflow" => two(Checked::Sum("-"), [0, 0]),
            "mul_overflow" => two(Checked::Sum("*"), [0, 0]),
            "negate_overflow" => one(Checked::Negation, 0),
            "divrem_overflow" => two(Checked::Quotient, [0, 0]),
            "shift_out_of_bounds" => two(Checked::Shift, [0, 1]),
            "implicit_conversion" => two(Checked::Conversion, [0, 1]),
            "vla_bound_not_positive" => one(Checked::Length, 0),
            "load_invalid_value" => one(Checked::Load, 0),
            "float_cast_overflow" => self.renamed(one(Checked::FloatCast, 0)?, &call, 1),
            "out_of_bounds" => self.renamed(one(Checked::Index, 1)?, &call, 0),
            "type_mismatch_v1" => self.access(&call),
            "pointer_overflow" => self.pointer_sum(&call),
            "function_type_mismatch" => {
                let (_, _, name) = self.type_at(&call, 0)?;
                let text = format!("call through a pointer to a function that is no {name}");
                Some(Explanation::words(text))
            }
            "nonnull_arg" | "nullability_arg" => {
                // The place of the attribute comes first.
                let place = self.pointer_bytes() + LINE_AND_COLUMN;
                let number = self.word(call.description + place, 4)?;
                Some(Explanation::words(format!(
                    "null passed as argument {number}, which is declared never to be null"
                )))
            }
            "nonnull_return_v1" | "nullability_return_v1" => Some(Explanation::words(
                "null returned from a function that is declared never to return null",
            )),
            "invalid_builtin" => {
                let number = self.word(call.description, 1)?;
                let text = *BUILTINS.get(number as usize)?;
                Some(Explanation::words(format!(
                    "{text}, which is not a valid argument"
                )))
            }
            _ => None,
        }
    }

    fn handler_call(&self) -> Option<Call> {
        let depth = self.prepared.handler_frames(self.state).checked_sub(1)?;
        let mut frames = self.state.frames.iter().skip(depth);
        let (frame, caller) = (frames.next()?, frames.next()?);
        let name = &self.program().function(frame.function).name;
        let name = name.strip_prefix(CHECK_HANDLERS)?;
        let name = name.strip_suffix("_abort").unwrap_or(name).to_string();
        let calls = &self.program().function(caller.function).calls;
        let site = calls.get(frame.call_site? as usize)?;
        let value = |slot: usize| match caller.term(slot) {
            Some(term) => Value::Term(term),
            None => Value::Concrete(u128::from(caller.bits[slot])),
        };
        let arguments: Vec<Value> = site
            .args
            .iter()
            .map(|(slot, _)| value(slot.index()))
            .collect();
        let Value::Concrete(place) = *arguments.first()? else {
            return None;
        };
        let behind = self.pointer_bytes() + LINE_AND_COLUMN;
        Some(Call {
            name,
            arguments,
            description: (place as u64).wrapping_add(behind),
        })
    }

    fn pointer_bytes(&self) -> u64 {
        u64::from(self.program().pointers.bytes())
    }

    fn word(&self, address: u64, bytes: u32) -> Option<u64> {
        self.state.memory.read_word(address, bytes).ok().flatten()
    }

    /// Kind, bits and name of the type that is the `part`-th pointer of a description.
    fn type_at(&self, call: &Call, part: u64) -> Option<(u16, u32, String)> {
        let at = call.description + part * self.pointer_bytes();
        let described = self.word(at, self.program().pointers.bytes())?;
        let kind = self.word(described, 2)? as u16;
        let info = self.word(described + 2, 2)? as u32;
        let name = self.prepared.readable_text(self.state, described + 4)?;
        Some((kind, info, name))
    }

    /// The argument `index` with the type that is the `part`-th pointer of the description.
    fn operand(&self, call: &Call, index: usize, part: u64) -> Option<Operand> {
        let (kind, info, type_name) = self.type_at(call, part)?;
        let (width, form) = match kind {
            INTEGER if info & 1 == 1 => (1 << (info >> 1), Form::Signed),
            INTEGER => (1 << (info >> 1), Form::Unsigned),
            FLOAT => (info, Form::Float),
            _ => return None,
        };
        let passed = *call.arguments.get(index)?;
        let pointer = 8 * self.program().pointers.bytes();
        let value = if width > 128 {
            return None;
        } else if width > pointer {
            let Value::Concrete(address) = passed else {
                return None;
            };
            let memory = &self.state.memory;
            memory.read_if_there(self.terms(), address as u64, width.div_ceil(8))?
        } else {
            self.narrowed(passed, pointer, width)
        };
        Some(Operand {
            value,
            width,
            form,
            type_name,
        })
    }

    /// The low bits of a word.
    fn narrowed(&self, value: Value, from: u32, to: u32) -> Value {
        match value {
            Value::Concrete(bits) => Value::Concrete(bits & mask(to)),
            Value::Term(term) if to < from => {
                let terms = self.terms();
                self.values().value(terms.resize(term, to))
            }
            Value::Term(_) => value,
        }
    }

    /// The explanation with the name of another type of the description.
    fn renamed(&self, mut given: Explanation, call: &Call, part: u64) -> Option<Explanation> {
        let (_, _, name) = self.type_at(call, part)?;
        for operand in &mut given.operands {
            operand.type_name.clone_from(&name);
        }
        Some(given)
    }

    fn access(&self, call: &Call) -> Option<Explanation> {
        let (_, _, type_name) = self.type_at(call, 0)?;
        let behind = call.description + self.pointer_bytes();
        let alignment = 1u64.checked_shl(self.word(behind, 1)? as u32)?;
        let number = self.word(behind + 1, 1)? as usize;
        let checked = Checked::Access {
            does: ACCESSES.get(number)?,
            alignment,
        };
        let address = Operand {
            value: *call.arguments.get(1)?,
            width: 8 * self.program().pointers.bytes(),
            form: Form::Unsigned,
            type_name,
        };
        Some(Explanation {
            checked,
            operands: vec![address],
        })
    }

    /// The base, and the offset that leads to the result.
    fn pointer_sum(&self, call: &Call) -> Option<Explanation> {
        let width = 8 * self.program().pointers.bytes();
        let operand = |value: Value, form: Form| Operand {
            value,
            width,
            form,
            type_name: String::new(),
        };
        let (base, result) = (*call.arguments.get(1)?, *call.arguments.get(2)?);
        let offset = self
            .values()
            .bin(homi_ir::ops::BinOp::Sub, width, result, base);
        Some(Explanation {
            checked: Checked::PointerSum,
            operands: vec![operand(base, Form::Unsigned), operand(offset, Form::Signed)],
        })
    }
}
