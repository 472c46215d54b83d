//! Reads the SMT-LIB scripts that `smtlib` prints: recorded queries become terms again.
//!
//! The subset: `set-*`, `declare-fun` of arrays of bytes, `define-fun` without parameters, `assert`
//! of bit-vector conditions, `check-sat`, `exit`, and `reset` between scripts. Terms are built
//! while the text is read, without recursion, so nesting costs no stack. The chain of comparisons
//! that a table is printed as becomes a table again.

use super::node::{ArrayId, Byte, Term};
use super::pool::Terms;
use homi_ir::ops::{BinOp, CmpOp, mask};
use rustc_hash::FxHashMap;

/// Objects have no size in SMT-LIB; none of ours is larger.
const OBJECT_SIZE: u32 = u32::MAX;
/// Tables longer than this stay chains of comparisons.
const LONGEST_TABLE: u128 = 1 << 16;

/// One script.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Attributes of `set-info`: the name without its colon, and the value as text.
    pub infos: Vec<(String, String)>,
    /// The asserted conditions (1 bit each), in order.
    pub assertions: Vec<Term>,
    /// Declared objects by name.
    pub arrays: FxHashMap<String, ArrayId>,
}

impl Script {
    /// The value of an attribute.
    pub fn info(&self, name: &str) -> Option<&str> {
        let found = self.infos.iter().find(|info| info.0 == name);
        found.map(|info| info.1.as_str())
    }
}

/// Reason why a text is not a script of the subset.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ReadError {
    pub line: usize,
    pub what: String,
}

/// Reads all scripts of a text.
pub fn read(terms: &Terms, text: &str) -> Result<Vec<Script>, ReadError> {
    let mut reader = Reader {
        terms,
        scripts: Vec::new(),
        script: Script::default(),
        definitions: FxHashMap::default(),
        used: false,
    };
    let mut stack: Vec<Vec<Item>> = Vec::new();
    let mut line = 1;
    let failed = |line, what: String| ReadError { line, what };
    let mut rest = text;
    while let Some(token) = next_token(&mut rest, &mut line) {
        let token = token.map_err(|what| failed(line, what))?;
        match token {
            Token::Open => stack.push(Vec::new()),
            Token::Close => {
                let Some(items) = stack.pop() else {
                    return Err(failed(line, "a parenthesis too many".to_string()));
                };
                match stack.last_mut() {
                    Some(outer) => {
                        let item = reader.reduce(items).map_err(|what| failed(line, what))?;
                        outer.push(item);
                    }
                    None => reader.command(items).map_err(|what| failed(line, what))?,
                }
            }
            Token::Symbol { text, quoted } => {
                let Some(items) = stack.last_mut() else {
                    return Err(failed(line, format!("`{text}` outside of a command")));
                };
                items.push(Item::Symbol {
                    text: text.to_string(),
                    quoted,
                });
            }
        }
    }
    if !stack.is_empty() {
        return Err(failed(line, "the text ends within a command".to_string()));
    }
    reader.end_script();
    Ok(reader.scripts)
}

enum Token<'t> {
    Open,
    Close,
    /// A symbol, a number, a literal or a string.
    Symbol {
        text: &'t str,
        quoted: bool,
    },
}

/// Cuts the next token off the text; counts lines.
fn next_token<'t>(rest: &mut &'t str, line: &mut usize) -> Option<Result<Token<'t>, String>> {
    loop {
        let trimmed = rest.trim_start();
        *line += rest[..rest.len() - trimmed.len()].matches('\n').count();
        *rest = trimmed;
        match trimmed.strip_prefix(';') {
            Some(comment) => *rest = comment.find('\n').map_or("", |end| &comment[end..]),
            None => break,
        }
    }
    let first = rest.chars().next()?;
    let (token, length) = match first {
        '(' => (Token::Open, 1),
        ')' => (Token::Close, 1),
        '|' | '"' => match rest[1..].find(first) {
            Some(end) => {
                let text = &rest[1..=end];
                (Token::Symbol { text, quoted: true }, end + 2)
            }
            None => return Some(Err(format!("no closing {first}"))),
        },
        _ => {
            let end = rest.find(|c: char| c.is_whitespace() || "();|\"".contains(c));
            let text = &rest[..end.unwrap_or(rest.len())];
            let quoted = false;
            (Token::Symbol { text, quoted }, text.len())
        }
    };
    if let Token::Symbol { text, .. } = &token {
        *line += text.matches('\n').count();
    }
    *rest = &rest[length..];
    Some(Ok(token))
}

/// Partial result for a piece of text.
#[derive(Clone, Debug)]
enum Item {
    Symbol { text: String, quoted: bool },
    List(Vec<Item>),
    Value(Value),
}

#[derive(Clone, Debug)]
enum Value {
    Bits(Term),
    /// A Boolean, as 1 bit.
    Bool(Term),
    /// `low <= index`, unsigned.
    AtLeast {
        index: Term,
        low: u128,
    },
    /// `index <= high`, unsigned.
    AtMost {
        index: Term,
        high: u128,
    },
    /// `low <= index <= high`, unsigned: how a table's positions are tested.
    Range {
        index: Term,
        low: u128,
        high: u128,
    },
    /// Printed form of a table: values of runs of positions, last run first, 0 elsewhere.
    Chain {
        index: Term,
        width: u32,
        runs: Vec<(u128, u128, u64)>,
    },
}

impl Value {
    fn is_bits(&self) -> bool {
        matches!(self, Value::Bits(_) | Value::Chain { .. })
    }
}

struct Reader<'a> {
    terms: &'a Terms,
    scripts: Vec<Script>,
    script: Script,
    definitions: FxHashMap<String, Value>,
    /// The script has a command.
    used: bool,
}

impl Reader<'_> {
    fn end_script(&mut self) {
        let script = std::mem::take(&mut self.script);
        self.definitions.clear();
        if std::mem::take(&mut self.used) {
            self.scripts.push(script);
        }
    }

    fn command(&mut self, items: Vec<Item>) -> Result<(), String> {
        let mut items = items.into_iter();
        let name = match items.next() {
            Some(Item::Symbol { text, .. }) => text,
            _ => return Err("a command without a name".to_string()),
        };
        let rest: Vec<Item> = items.collect();
        match (name.as_str(), rest.as_slice()) {
            ("reset", []) => {
                self.end_script();
                return Ok(());
            }
            ("exit", []) => return Ok(()),
            ("set-logic" | "set-option" | "check-sat" | "get-model", _) => {}
            ("set-info", [Item::Symbol { text, .. }, value @ ..]) => {
                let value: Vec<String> = value.iter().map(show).collect();
                let attribute = text.trim_start_matches(':').to_string();
                self.script.infos.push((attribute, value.join(" ")));
            }
            ("declare-fun", [Item::Symbol { text, .. }, Item::List(parameters), sort]) => {
                let sort = show(sort);
                if !parameters.is_empty() || sort != "(Array (_ BitVec 32) (_ BitVec 8))" {
                    return Err(format!("{text} is no array of bytes but {sort}"));
                }
                let array = self.terms.array(text, 0, OBJECT_SIZE);
                self.script.arrays.insert(text.clone(), array);
            }
            ("define-fun", [Item::Symbol { text, .. }, Item::List(parameters), _, body])
                if parameters.is_empty() =>
            {
                let value = self.value(body)?;
                self.definitions.insert(text.clone(), value);
            }
            ("assert", [condition]) => {
                let value = self.value(condition)?;
                let condition = self.bool(value)?;
                self.script.assertions.push(condition);
            }
            _ => return Err(format!("cannot read the command {name}")),
        }
        self.used = true;
        Ok(())
    }

    /// Reduces a list: an application becomes its value, anything else stays a list.
    fn reduce(&self, items: Vec<Item>) -> Result<Item, String> {
        match items.as_slice() {
            [
                Item::Symbol {
                    text,
                    quoted: false,
                },
                number,
                width,
            ] if text == "_" => {
                if let (Item::Symbol { text, .. }, Item::Symbol { text: width, .. }) =
                    (number, width)
                    && let Some(value) = text.strip_prefix("bv")
                    && let (Ok(value), Ok(width)) = (value.parse::<u128>(), width.parse::<u32>())
                {
                    self.check_width(width)?;
                    return Ok(Item::Value(Value::Bits(
                        self.terms.constant(width, value & mask(width)),
                    )));
                }
                Ok(Item::List(items))
            }
            [
                Item::Symbol {
                    text,
                    quoted: false,
                },
                arguments @ ..,
            ] if !arguments.is_empty() && is_operator(text) => {
                self.apply(text, arguments).map(Item::Value)
            }
            [Item::List(head), argument] => match head.as_slice() {
                [
                    Item::Symbol { text, .. },
                    Item::Symbol { text: name, .. },
                    numbers @ ..,
                ] if text == "_" => self.indexed(name, numbers, argument).map(Item::Value),
                _ => Ok(Item::List(items)),
            },
            _ => Ok(Item::List(items)),
        }
    }

    fn check_width(&self, width: u32) -> Result<(), String> {
        if (1..=128).contains(&width) {
            Ok(())
        } else {
            Err(format!("a width of {width} bits"))
        }
    }

    fn value(&self, item: &Item) -> Result<Value, String> {
        match item {
            Item::Value(value) => Ok(value.clone()),
            Item::List(_) => Err(format!("cannot read {}", show(item))),
            Item::Symbol { text, .. } => {
                if let Some(value) = self.definitions.get(text) {
                    return Ok(value.clone());
                }
                let literal = |digits: &str, radix, bits: usize| {
                    let value = u128::from_str_radix(digits, radix).ok()?;
                    let width = u32::try_from(digits.len() * bits).ok()?;
                    self.check_width(width).ok()?;
                    Some(Value::Bits(self.terms.constant(width, value)))
                };
                match (text.as_str(), text.get(..2)) {
                    ("true", _) => Some(Value::Bool(self.terms.bool(true))),
                    ("false", _) => Some(Value::Bool(self.terms.bool(false))),
                    (_, Some("#b")) => literal(&text[2..], 2, 1),
                    (_, Some("#x")) => literal(&text[2..], 16, 4),
                    _ => None,
                }
                .ok_or_else(|| format!("{text} is not defined"))
            }
        }
    }

    fn bits(&self, value: Value) -> Result<Term, String> {
        match value {
            Value::Bits(term) => Ok(term),
            Value::Chain { index, width, runs } => {
                let mut elements = Vec::new();
                for (low, high, value) in runs.into_iter().rev() {
                    elements.resize(low as usize, 0);
                    elements.resize(high as usize + 1, value);
                }
                Ok(self.terms.table(&elements, width, index))
            }
            _ => Err("a Boolean where bits belong".to_string()),
        }
    }

    fn bool(&self, value: Value) -> Result<Term, String> {
        let compare = |op, index, bound| {
            let bound = self.terms.constant(self.terms.width(index), bound);
            self.terms.cmp(op, index, bound)
        };
        match value {
            Value::Bool(term) => Ok(term),
            Value::AtLeast { index, low } => Ok(compare(CmpOp::Uge, index, low)),
            Value::AtMost { index, high } => Ok(compare(CmpOp::Ule, index, high)),
            Value::Range { index, low, high } => {
                let above = compare(CmpOp::Uge, index, low);
                Ok(self.terms.and(above, compare(CmpOp::Ule, index, high)))
            }
            Value::Bits(_) | Value::Chain { .. } => Err("bits where a Boolean belongs".to_string()),
        }
    }

    fn apply(&self, name: &str, arguments: &[Item]) -> Result<Value, String> {
        let terms = self.terms;
        if name == "select" {
            return self.select(arguments);
        }
        let values = arguments.iter().map(|argument| self.value(argument));
        let values = values.collect::<Result<Vec<Value>, String>>()?;
        match (name, values.as_slice()) {
            (
                "and",
                [
                    Value::AtLeast { index, low },
                    Value::AtMost { index: other, high },
                ],
            ) if index == other => Ok(Value::Range {
                index: *index,
                low: *low,
                high: *high,
            }),
            ("and" | "or", _) => {
                let mut all = terms.bool(name == "and");
                for value in values {
                    let value = self.bool(value)?;
                    all = if name == "and" {
                        terms.and(all, value)
                    } else {
                        terms.or(all, value)
                    };
                }
                Ok(Value::Bool(all))
            }
            ("not", [value]) => Ok(Value::Bool(terms.not(self.bool(value.clone())?))),
            ("bvnot", [value]) => Ok(Value::Bits(terms.not(self.bits(value.clone())?))),
            ("bvneg", [value]) => Ok(Value::Bits(terms.neg(self.bits(value.clone())?))),
            ("ite", [condition, a, b]) => self.ite(condition, a, b),
            ("=" | "distinct", [a, b]) => {
                let operands = if a.is_bits() {
                    self.pair(a, b)?
                } else {
                    (self.bool(a.clone())?, self.bool(b.clone())?)
                };
                let equal = terms.eq(operands.0, operands.1);
                Ok(Value::Bool(if name == "=" {
                    equal
                } else {
                    terms.not(equal)
                }))
            }
            ("concat", [high, low]) => {
                let (high, low) = (self.bits(high.clone())?, self.bits(low.clone())?);
                self.check_width(terms.width(high) + terms.width(low))?;
                Ok(Value::Bits(terms.concat(high, low)))
            }
            (_, [a, b]) => {
                let (a, b) = self.pair(a, b)?;
                if name == "bvule" {
                    return Ok(match (terms.as_const(a), terms.as_const(b)) {
                        (Some(low), None) => Value::AtLeast { index: b, low },
                        (None, Some(high)) => Value::AtMost { index: a, high },
                        _ => Value::Bool(terms.cmp(CmpOp::Ule, a, b)),
                    });
                }
                if let Some((_, op)) = OPERATORS.iter().find(|known| known.0 == name) {
                    return Ok(Value::Bits(terms.bin(*op, a, b)));
                }
                match COMPARISONS.iter().find(|known| known.0 == name) {
                    Some((_, op)) => Ok(Value::Bool(terms.cmp(*op, a, b))),
                    None => Err(format!("cannot read {name}")),
                }
            }
            _ => Err(format!("{name} with {} arguments", values.len())),
        }
    }

    /// Two bit-vectors of one width.
    fn pair(&self, a: &Value, b: &Value) -> Result<(Term, Term), String> {
        let (a, b) = (self.bits(a.clone())?, self.bits(b.clone())?);
        let (width, other) = (self.terms.width(a), self.terms.width(b));
        if width == other {
            Ok((a, b))
        } else {
            Err(format!("operands of {width} and {other} bits"))
        }
    }

    fn select(&self, arguments: &[Item]) -> Result<Value, String> {
        let [Item::Symbol { text, .. }, index] = arguments else {
            return Err("select of something that is no declared object".to_string());
        };
        let array = self.script.arrays.get(text);
        let array = array.ok_or_else(|| format!("{text} is not declared"))?;
        let index = self.bits(self.value(index)?)?;
        let index = self.terms.as_const(index);
        let index = index.and_then(|index| u32::try_from(index).ok());
        let index = index.ok_or_else(|| format!("{text} at a position that is no number"))?;
        let byte = Byte {
            array: *array,
            index,
        };
        Ok(Value::Bits(self.terms.symbol(byte)))
    }

    fn ite(&self, condition: &Value, a: &Value, b: &Value) -> Result<Value, String> {
        let terms = self.terms;
        if let (Value::Range { index, low, high }, Value::Bits(value)) = (condition, a)
            && let Some(value) = terms.as_const(*value)
            && let Some(chain) = self.longer_chain((*index, *low, *high), value, b)
        {
            return Ok(chain);
        }
        let condition = self.bool(condition.clone())?;
        if !a.is_bits() {
            let (a, b) = (self.bool(a.clone())?, self.bool(b.clone())?);
            return Ok(Value::Bool(terms.ite(condition, a, b)));
        }
        let (a, b) = self.pair(a, b)?;
        Ok(Value::Bits(terms.ite(condition, a, b)))
    }

    /// Returns a table's chain with one more run before the runs of `rest`.
    fn longer_chain(
        &self,
        (index, low, high): (Term, u128, u128),
        value: u128,
        rest: &Value,
    ) -> Option<Value> {
        let value = u64::try_from(value).ok()?;
        if low > high || high >= LONGEST_TABLE || self.terms.width(index) > 64 {
            return None;
        }
        let run = (low, high, value);
        match rest {
            Value::Bits(zero) if self.terms.as_const(*zero) == Some(0) => Some(Value::Chain {
                index,
                width: self.terms.width(*zero),
                runs: vec![run],
            }),
            Value::Chain {
                index: other,
                width,
                runs,
            } if *other == index && runs.last().is_some_and(|next| next.0 > high) => {
                let mut runs = runs.clone();
                runs.push(run);
                let width = *width;
                Some(Value::Chain { index, width, runs })
            }
            _ => None,
        }
    }

    fn indexed(&self, name: &str, numbers: &[Item], argument: &Item) -> Result<Value, String> {
        let terms = self.terms;
        let value = self.bits(self.value(argument)?)?;
        let width = terms.width(value);
        let numbers: Option<Vec<u32>> = numbers
            .iter()
            .map(|number| match number {
                Item::Symbol { text, .. } => text.parse().ok(),
                _ => None,
            })
            .collect();
        let result = match (name, numbers.as_deref()) {
            ("zero_extend", Some([more])) if *more <= 128 => {
                self.check_width(width + more)?;
                terms.zext(value, width + more)
            }
            ("sign_extend", Some([more])) if *more <= 128 => {
                self.check_width(width + more)?;
                terms.sext(value, width + more)
            }
            ("extract", Some([high, low])) if low <= high && *high < width => {
                terms.extract(value, *low, high - low + 1)
            }
            _ => return Err(format!("cannot read (_ {name} ...)")),
        };
        Ok(Value::Bits(result))
    }
}

fn show(item: &Item) -> String {
    match item {
        Item::Symbol { text, quoted: true } => format!("|{text}|"),
        Item::Symbol { text, .. } => text.clone(),
        Item::List(items) => {
            let items: Vec<String> = items.iter().map(show).collect();
            format!("({})", items.join(" "))
        }
        Item::Value(_) => "(...)".to_string(),
    }
}

fn is_operator(name: &str) -> bool {
    matches!(
        name,
        "and" | "or" | "not" | "bvnot" | "bvneg" | "ite" | "=" | "distinct" | "concat" | "select"
    ) || OPERATORS.iter().any(|known| known.0 == name)
        || COMPARISONS.iter().any(|known| known.0 == name)
}

const OPERATORS: [(&str, BinOp); 13] = [
    ("bvadd", BinOp::Add),
    ("bvsub", BinOp::Sub),
    ("bvmul", BinOp::Mul),
    ("bvudiv", BinOp::UDiv),
    ("bvsdiv", BinOp::SDiv),
    ("bvurem", BinOp::URem),
    ("bvsrem", BinOp::SRem),
    ("bvand", BinOp::And),
    ("bvor", BinOp::Or),
    ("bvxor", BinOp::Xor),
    ("bvshl", BinOp::Shl),
    ("bvlshr", BinOp::LShr),
    ("bvashr", BinOp::AShr),
];

const COMPARISONS: [(&str, CmpOp); 8] = [
    ("bvult", CmpOp::Ult),
    ("bvule", CmpOp::Ule),
    ("bvugt", CmpOp::Ugt),
    ("bvuge", CmpOp::Uge),
    ("bvslt", CmpOp::Slt),
    ("bvsle", CmpOp::Sle),
    ("bvsgt", CmpOp::Sgt),
    ("bvsge", CmpOp::Sge),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::random_tests::Generator;
    use crate::term::smtlib;

    fn fails(text: &str) -> String {
        read(&Terms::new(), text).expect_err(text).to_string()
    }

    #[test]
    fn what_is_printed_means_the_same_when_it_is_read() {
        for seed in 0..60 {
            let terms = Terms::new();
            let mut generator = Generator::new(&terms, seed, 3);
            for _ in 0..40 {
                generator.grow();
            }
            let constraints: Vec<Term> = (0..4).map(|_| generator.condition()).collect();
            let script = smtlib::print(&terms, &constraints);
            // A separate pool ensures that only the text can be equal.
            let other = Terms::new();
            let scripts = read(&other, &script).unwrap_or_else(|error| panic!("{error}: {script}"));
            assert_eq!(scripts.len(), 1);
            assert_eq!(scripts[0].assertions.len(), constraints.len());
            for model in &generator.models {
                let mut same = crate::term::Model::new();
                for (byte, value) in model.iter() {
                    let name = terms.array_info(byte.array).name;
                    if let Some(array) = scripts[0].arrays.get(&*name) {
                        let index = byte.index;
                        same.set(
                            Byte {
                                array: *array,
                                index,
                            },
                            value,
                        );
                    }
                }
                for (constraint, read) in constraints.iter().zip(&scripts[0].assertions) {
                    let expected = terms.eval(*constraint, model);
                    assert_eq!(other.eval(*read, &same), expected, "seed {seed}: {script}");
                }
            }
        }
    }

    #[test]
    fn tables_come_back_as_tables() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 1);
        let byte = terms.symbol(Byte { array, index: 0 });
        let elements: Vec<u64> = (0..256).map(|at| (at * 7919 / 13) % 251).collect();
        let entry = terms.table(&elements, 16, byte);
        let condition = terms.eq_const(entry, 33);
        let script = smtlib::print(&terms, &[condition]);
        let array = terms.array("in", 0, OBJECT_SIZE);
        let again = terms.table(&elements, 16, terms.symbol(Byte { array, index: 0 }));
        let read = read(&terms, &script).expect("a script");
        assert_eq!(read[0].assertions, [terms.eq_const(again, 33)]);
    }

    #[test]
    fn scripts_are_separated_by_reset_and_have_infos() {
        let terms = Terms::new();
        let text = "; a comment (\n(reset)\n(set-info :status sat)\n\
            (set-info :model ((|a b| 0 97) (c 1 2)))\n(set-logic QF_ABV)\n\
            (declare-fun |a b| () (Array (_ BitVec 32) (_ BitVec 8)))\n\
            (assert (= (select |a b| (_ bv0 32)) #x61))\n(check-sat)\n\
            (reset)\n(assert (not (or false (= #b1 #b0))))\n(exit)\n";
        let scripts = read(&terms, text).expect("two scripts");
        assert_eq!(scripts.len(), 2);
        assert_eq!(scripts[0].info("status"), Some("sat"));
        assert_eq!(scripts[0].info("model"), Some("((|a b| 0 97) (c 1 2))"));
        assert_eq!(scripts[0].arrays.len(), 1);
        assert_eq!(terms.as_const(scripts[1].assertions[0]), Some(1));
    }

    #[test]
    fn unreadable_input_is_reported_with_its_line() {
        for (text, error) in [
            ("(assert", "line 1: the text ends within a command"),
            ("\n)", "line 2: a parenthesis too many"),
            ("x", "line 1: `x` outside of a command"),
            (
                "(assert (bvadd #b1 #b10))",
                "line 1: operands of 1 and 2 bits",
            ),
            ("(assert #b1)", "line 1: bits where a Boolean belongs"),
            ("(assert y)", "line 1: y is not defined"),
            (
                "(assert (= (fp.add #b1 #b1) #b1))",
                "line 1: cannot read (fp.add #b1 #b1)",
            ),
            (
                "(declare-fun f () Int)",
                "line 1: f is no array of bytes but Int",
            ),
            (
                "(assert ((_ extract 9 1) #b1))",
                "line 1: cannot read (_ extract ...)",
            ),
            ("(push 1)", "line 1: cannot read the command push"),
            ("(set-info :x |y)", "line 1: no closing |"),
            (
                "(assert (= (_ bv1 200) (_ bv1 200)))",
                "line 1: a width of 200 bits",
            ),
        ] {
            assert_eq!(fails(text), error);
        }
        // Nesting takes no stack.
        let depth = 100_000;
        let text = format!(
            "(assert {}true{})",
            "(not ".repeat(depth),
            ")".repeat(depth)
        );
        assert!(read(&Terms::new(), &text).is_ok());
    }
}
