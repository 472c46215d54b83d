//! Builders of tiny programs for unit tests of the modules above.

use super::*;

/// An instruction that only computes.
pub fn step() -> Inst {
    Inst::Move {
        w: 1,
        dst: Slot(0),
        src: Slot(0),
    }
}

pub fn ret() -> Inst {
    Inst::Return { index: 0 }
}

pub fn jump(target: u32) -> Inst {
    Inst::Jump {
        target: BlockId(target),
    }
}

/// A conditional branch on slot 0 with branch site `site`.
pub fn branch(site: u32, then: u32, otherwise: u32) -> Inst {
    Inst::Branch {
        cond: Slot(0),
        then: BlockId(then),
        otherwise: BlockId(otherwise),
        branch: Some(BranchId(site)),
    }
}

/// A call of function `callee`; `function` turns it into a call site.
pub fn call(callee: u32) -> Inst {
    Inst::Call { site: callee }
}

pub fn call_indirect() -> Inst {
    Inst::Call { site: u32::MAX }
}

/// A function from blocks; no blocks make a declaration.
pub fn function(name: &str, blocks: Vec<Vec<Inst>>) -> Function {
    let mut function = Function {
        slots: 1,
        returns: vec![Vec::new()],
        ..Function::declaration(name)
    };
    for block in blocks {
        function.blocks.push(BlockInfo {
            start: function.code.len() as u32,
        });
        for mut inst in block {
            if let Inst::Call { site } = &mut inst {
                let callee = match *site {
                    u32::MAX => Callee::Indirect(Slot(0)),
                    callee => Callee::Direct(FuncId(callee)),
                };
                *site = function.calls.len() as u32;
                function.calls.push(CallSite {
                    callee,
                    args: Vec::new(),
                    byval: Vec::new(),
                    variadic_from: None,
                    arg_classes: Vec::new(),
                    results: Vec::new(),
                    noreturn: false,
                    landing: None,
                });
            }
            function.code.push(inst);
            function.locations.push(LocId(0));
        }
    }
    function
}

/// A program that starts at its first function; branch sites 0 to 9 exist, with two sides each.
pub fn program(functions: Vec<Function>) -> Program {
    Program {
        functions,
        locations: vec![Location {
            file: 0,
            line: 0,
            column: 0,
        }],
        branches: vec![
            BranchSite {
                kind: BranchKind::Conditional,
                sides: 2,
                function: String::new(),
                origin: Origin::Program,
                location: LocId(0),
                condition: Condition::default(),
            };
            10
        ],
        ..Program::empty("test.bc")
    }
}
