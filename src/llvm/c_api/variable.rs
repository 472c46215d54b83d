//! Descriptions of variables in debug information.
//!
//! Invariant: the name of a type is as C writes it, except of functions and unnamed types; only
//! reports depend on it.

use super::*;

/// A local variable or a parameter.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    /// The type in the words of C.
    pub ty: String,
    pub position: Option<SourcePosition>,
    /// The function or block that declares it.
    pub scope: Option<Scope>,
}

/// Types that a name follows: a pointer to a pointer to...
const DEEPEST: u32 = 8;

/// Tags of DWARF.
const ARRAY: u16 = 0x01;
const ENUMERATION: u16 = 0x04;
const POINTER: u16 = 0x0f;
const STRUCTURE: u16 = 0x13;
const SUBROUTINE: u16 = 0x15;
const UNION: u16 = 0x17;
const CONST: u16 = 0x26;
const VOLATILE: u16 = 0x35;
const RESTRICT: u16 = 0x37;

/// Indices of a type's operands.
const NAME: usize = 2;
const BASE: usize = 3;

pub(super) fn position(variable: LLVMMetadataRef) -> Option<SourcePosition> {
    let file = some(ffi!(LLVMDIVariableGetFile(variable)))?;
    let mut length = 0;
    let name = ffi!(LLVMDIFileGetFilename(file, &mut length));
    Some(SourcePosition {
        file: text(name, length as usize),
        line: ffi!(LLVMDIVariableGetLine(variable)),
        column: 0,
    })
}

/// Returns the operands of a node; null where there is none.
pub(super) fn operands(node: LLVMValueRef) -> Vec<LLVMValueRef> {
    let count = ffi!(LLVMGetMDNodeNumOperands(node)) as usize;
    let mut operands = vec![std::ptr::null_mut(); count];
    ffi!(LLVMGetMDNodeOperands(node, operands.as_mut_ptr()));
    operands
}

/// Returns the name of a type `depth` levels down in another one.
pub(super) fn type_name(ty: LLVMValueRef, depth: u32) -> String {
    let operands = operands(ty);
    let operand = |index: usize| operands.get(index).and_then(|operand| some(*operand));
    let name = operand(NAME).map_or(String::new(), |name| {
        let mut length = 0;
        let pointer = ffi!(LLVMGetMDString(name, &mut length));
        text(pointer, length as usize)
    });
    let base = || match operand(BASE) {
        Some(base) if depth < DEEPEST => type_name(base, depth + 1),
        Some(_) => "...".to_string(),
        None => "void".to_string(),
    };
    match ffi!(LLVMGetDINodeTag(LLVMValueAsMetadata(ty))) {
        POINTER => {
            let base = base();
            let space = if base.ends_with('*') { "" } else { " " };
            format!("{base}{space}*")
        }
        ARRAY => format!("{}[]", base()),
        CONST => format!("const {}", base()),
        VOLATILE => format!("volatile {}", base()),
        RESTRICT => base(),
        SUBROUTINE => "function".to_string(),
        STRUCTURE => format!("struct {name}"),
        UNION => format!("union {name}"),
        ENUMERATION => format!("enum {name}"),
        _ => name,
    }
    .trim_end()
    .to_string()
}
