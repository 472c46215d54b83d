//! Parsing the text form.
//!
//! Invariant: any text gives a program that `verify` may look at, or an error with its line;
//! nothing panics and nothing large is allocated that the text does not spell out.

use super::field::Words;
use super::instruction::read_instruction;
use crate::program::{
    BlockInfo, BranchSite, Condition, FrameObject, FuncId, Function, Global, GlobalInit, LocId,
    Location, Param, PointerWidth, Program, Relocation,
};

/// Line of a text that is not a program, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ParseError {
    /// The line's number, from 1.
    pub line: usize,
    pub reason: String,
}

/// The program that a text spells.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser {
        program: Program::empty(""),
    };
    for (index, line) in text.lines().enumerate() {
        let statement = |line: &str, parser: &mut Parser| -> Result<(), String> {
            let mut words = Words::new(line)?;
            if !words.is_empty() {
                parser.statement(&mut words)?;
            }
            words.finish()
        };
        statement(line, &mut parser).map_err(|reason| ParseError {
            line: index + 1,
            reason,
        })?;
    }
    let mut program = parser.program;
    if program.files.is_empty() {
        program.files.push(String::new());
    }
    if program.locations.is_empty() {
        program.locations.push(Location {
            file: 0,
            line: 0,
            column: 0,
        });
    }
    Ok(program)
}

struct Parser {
    program: Program,
}

impl Parser {
    fn statement(&mut self, words: &mut Words) -> Result<(), String> {
        let Some(first) = words.peek().map(str::to_string) else {
            return Ok(());
        };
        let program = &mut self.program;
        match first.as_str() {
            "program" => program.name = keyword(words)?.string()?,
            "pointers" => {
                keyword(words)?.expect("32")?;
                program.pointers = PointerWidth::Bits32;
            }
            "entry" => program.entry = keyword(words)?.read()?,
            "runtime_entry" => program.runtime_entry = Some(keyword(words)?.read()?),
            "constructors" => program.constructors = rest(keyword(words)?)?,
            "destructors" => program.destructors = rest(keyword(words)?)?,
            "signature" => {
                let function = keyword(words)?.read()?;
                program.signatures.push((function, words.read()?));
            }
            "undefined" => program.undefined = rest(keyword(words)?)?,
            "unsupported_features" => program.unsupported_in_lowering = rest(keyword(words)?)?,
            "file" => {
                in_order(keyword(words)?.read::<u32>()?, program.files.len())?;
                program.files.push(words.string()?);
            }
            "location" => {
                in_order(keyword(words)?.read::<LocId>()?.0, program.locations.len())?;
                program.locations.push(Location {
                    file: words.read()?,
                    line: words.read()?,
                    column: words.read()?,
                });
            }
            "text" => {
                let id: crate::program::TextId = keyword(words)?.read()?;
                in_order(id.0, program.texts.len())?;
                program.texts.push(words.string()?);
            }
            "branch" if self.program.functions.is_empty() => self.branch_site(words)?,
            "global" => self.global(words)?,
            "func" => self.function(words)?,
            _ => self.in_function(&first, words)?,
        }
        Ok(())
    }

    fn branch_site(&mut self, words: &mut Words) -> Result<(), String> {
        let id: crate::program::BranchId = keyword(words)?.read()?;
        in_order(id.0, self.program.branches.len())?;
        self.program.branches.push(BranchSite {
            kind: words.read()?,
            sides: words.read()?,
            function: words.read()?,
            origin: words.read()?,
            location: words.read()?,
            condition: condition(words)?,
        });
        Ok(())
    }

    fn global(&mut self, words: &mut Words) -> Result<(), String> {
        let id: crate::program::GlobalId = keyword(words)?.read()?;
        in_order(id.0, self.program.globals.len())?;
        let mut global = Global {
            name: words.read()?,
            origin: words.read()?,
            size: words.read()?,
            align: words.read()?,
            constant: false,
            thread_local: false,
            init: GlobalInit::Zero,
            location: LocId(0),
        };
        while !words.is_empty() {
            if let Some(location) = location(words)? {
                global.location = location;
                continue;
            }
            match words.word()? {
                "constant" => global.constant = true,
                "thread_local" => global.thread_local = true,
                "zero" => global.init = GlobalInit::Zero,
                "external" => global.init = GlobalInit::External,
                "bytes" => {
                    let bytes = hexadecimal(words.word()?)?;
                    if bytes.len() as u64 != global.size {
                        return Err(format!("{} bytes for {}", bytes.len(), global.size));
                    }
                    let mut relocations = Vec::new();
                    while words.peek() == Some("at") {
                        words.word()?;
                        relocations.push(Relocation {
                            offset: words.read()?,
                            value: words.read()?,
                        });
                    }
                    global.init = GlobalInit::Bytes { bytes, relocations };
                }
                other => return Err(format!("`{other}` is no part of a global")),
            }
        }
        self.program.globals.push(global);
        Ok(())
    }

    fn function(&mut self, words: &mut Words) -> Result<(), String> {
        let id: FuncId = keyword(words)?.read()?;
        in_order(id.0, self.program.functions.len())?;
        let name: String = words.read()?;
        let mut function = Function::declaration(name);
        function.origin = words.read()?;
        while !words.is_empty() {
            if let Some(location) = location(words)? {
                function.location = location;
                continue;
            }
            match words.word()? {
                "slots" => function.slots = words.read()?,
                "variadic" => function.variadic = true,
                "noreturn" => function.noreturn = true,
                "address_taken" => function.address_taken = true,
                "stops_exceptions" => function.stops_exceptions = true,
                other => return Err(format!("`{other}` is no part of a function")),
            }
        }
        self.program.functions.push(function);
        Ok(())
    }

    /// A line between `func` and the next one.
    fn in_function(&mut self, first: &str, words: &mut Words) -> Result<(), String> {
        let function = self
            .program
            .functions
            .last_mut()
            .ok_or_else(|| format!("`{first}` outside of a function"))?;
        match first {
            "param" => function.params.push(Param {
                slot: keyword(words)?.read()?,
                width: words.read()?,
                byval: words.read()?,
                name: if words.is_empty() {
                    String::new()
                } else {
                    words.read()?
                },
            }),
            "const" => function.constants.push(keyword(words)?.read()?),
            "object" => function.frame_objects.push(FrameObject {
                size: keyword(words)?.read()?,
                align: words.read()?,
                name: words.read()?,
                declared: Default::default(),
                in_block: !words.is_empty() && words.expect("block").is_ok(),
            }),
            "result" => function.returns_widths = rest(keyword(words)?)?,
            "returns" => indexed(words, &mut function.returns)?,
            "calls" => indexed(words, &mut function.calls)?,
            "switches" => indexed(words, &mut function.switches)?,
            "landings" => indexed(words, &mut function.landings)?,
            // The table entry has a list, the instruction has only a number.
            "moves" if function.blocks.is_empty() => indexed(words, &mut function.moves)?,
            label if label.ends_with(':') => {
                let expected = format!("b{}:", function.blocks.len());
                words.expect(&expected)?;
                function.blocks.push(BlockInfo {
                    start: function.code.len() as u32,
                });
            }
            _ => {
                if function.blocks.is_empty() {
                    return Err("an instruction before the first block".to_string());
                }
                function.code.push(read_instruction(words)?);
                function
                    .locations
                    .push(location(words)?.unwrap_or(LocId(0)));
            }
        }
        Ok(())
    }
}

/// Skips the line's first word.
fn keyword(words: &mut Words) -> Result<&mut Words, String> {
    words.word()?;
    Ok(words)
}

/// All values up to the line's end.
fn rest<T: super::field::Field>(words: &mut Words) -> Result<Vec<T>, String> {
    let mut list = Vec::new();
    while !words.is_empty() {
        list.push(words.read()?);
    }
    Ok(list)
}

fn in_order(number: u32, expected: usize) -> Result<(), String> {
    if number as usize == expected {
        return Ok(());
    }
    Err(format!("number {expected} expected, not {number}"))
}

fn indexed<T: super::field::Field>(words: &mut Words, table: &mut Vec<T>) -> Result<(), String> {
    in_order(keyword(words)?.read()?, table.len())?;
    table.push(words.read()?);
    Ok(())
}

/// `@lN`, if it is next.
fn location(words: &mut Words) -> Result<Option<LocId>, String> {
    let Some(number) = words.peek().and_then(|word| word.strip_prefix("@l")) else {
        return Ok(None);
    };
    let number = number
        .parse()
        .map_err(|_| format!("`{number}` is no location's number"))?;
    words.word()?;
    Ok(Some(LocId(number)))
}

/// The words of a branch's condition, to the end of the line.
fn condition(words: &mut Words) -> Result<Condition, String> {
    let mut condition = Condition::default();
    while !words.is_empty() {
        match words.word()? {
            "external_call" => condition.external_call = true,
            "integer" => condition.integer = true,
            "string" => condition.string = true,
            "pointer" => condition.pointer = true,
            "local" => condition.local = true,
            other => return Err(format!("`{other}` is no part of a condition")),
        }
    }
    Ok(condition)
}

fn hexadecimal(text: &str) -> Result<Vec<u8>, String> {
    if text == "-" {
        return Ok(Vec::new());
    }
    if !text.is_ascii() || text.len() % 2 != 0 {
        return Err("an even number of hexadecimal digits expected".to_string());
    }
    (0..text.len())
        .step_by(2)
        .map(|at| {
            u8::from_str_radix(&text[at..at + 2], 16)
                .map_err(|_| format!("`{}` is no byte", &text[at..at + 2]))
        })
        .collect()
}
