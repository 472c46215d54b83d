//! `--entry-point` with functions other than `main`: what their parameters point to.

use super::declare::Declared;
use super::fill::options;
use super::profile::ByProfile;
use super::row::{Form, Heading};
use super::uses::List;
use super::value::{choice_text, number_within};
use clap::builder::{EnumValueParser, ValueParser};
use homi_config::{FunctionConfig, Pointee, PointerShape};

options! {
    /// The options of [`FunctionConfig`].
    Function fills FunctionConfig with { entry: String };

    /// Choose what pointer parameters of the --entry-point function may point to
    ///
    /// null, one (a fresh object), many (an array of `--pointer-elements`), string (for characters,
    /// instead of the two before), shared (an object that another pointer has), cyclic (an object
    /// that leads to the pointer).
    shapes: Vec<PointerShape> = shapes("pointer-shapes").heading(Heading::Program);

    /// Set the length of arrays and strings behind pointer parameters
    ///
    /// For LLVMFuzzerTestOneInput it is the largest size of the input in bytes.
    elements: Option<u32> = number_within("pointer-elements", "N", 1, 4096)
        .absent_means("4, and 16 bytes for LLVMFuzzerTestOneInput")
        .heading(Heading::Program);

    /// Limit the chain of objects behind a pointer parameter to N
    ///
    /// Pointers of the last objects are null, shared or cyclic.
    depth: u32 = number_within("pointer-depth", "N", 0, 16)
        .default(3)
        .heading(Heading::Program);

    /// Make these global variables symbolic when the --entry-point function is called
    ///
    /// Names of variables, or `all`.
    globals: Vec<String> = names("symbolic-globals").heading(Heading::Program);

    /// Choose what one pointer parameter of the --entry-point function points to
    ///
    /// PARAMETER=null, one, many, `many(N)`, string, `string(<=N)`, or any (of `--pointer-shapes`);
    /// `null|one` for both. Repeat it for each parameter; the others follow `--pointer-shapes`.
    pointees: Vec<(String, Pointee)> = pointees("parameter-shape").heading(Heading::Program);

    /// Call the --entry-point function only if this expression of C holds
    ///
    /// The expression has the names of the parameters: `r->low <= r->high`. Repeat it for several.
    requires: Vec<String> = expressions("requires").heading(Heading::Program);
}

fn shapes(long: &'static str) -> List<PointerShape, PointerShape> {
    let form = Form::List("SHAPE".to_string(), Some(','));
    let parser = ValueParser::new(EnumValueParser::<PointerShape>::new());
    let all = || PointerShape::ALL.to_vec();
    let default = ByProfile {
        homi: all(),
        klee: all(),
        paper: all(),
    };
    List::new(long, form, parser, |shape| vec![*shape]).by_profile(default, choice_text)
}

fn names(long: &'static str) -> List<String, String> {
    let form = Form::List("NAME".to_string(), Some(','));
    List::new(long, form, ValueParser::string(), |name| vec![name.clone()])
}

fn pointees(long: &'static str) -> List<(String, Pointee), (String, Pointee)> {
    let form = Form::List("PARAMETER=SHAPE".to_string(), None);
    List::new(long, form, ValueParser::new(pointee), |one| {
        vec![one.clone()]
    })
}

/// Reads `PARAMETER=SHAPE`.
fn pointee(text: &str) -> Result<(String, Pointee), String> {
    let (name, shape) = text
        .split_once('=')
        .ok_or("give PARAMETER=SHAPE, for example text=string")?;
    Ok((name.to_string(), Pointee::read(shape)?))
}

fn expressions(long: &'static str) -> List<String, String> {
    let form = Form::List("EXPRESSION".to_string(), None);
    List::new(long, form, ValueParser::string(), |one| vec![one.clone()])
}
