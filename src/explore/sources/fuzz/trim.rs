//! Removal of what an input does not need.
//!
//! Invariant: every change that stays was executed, and the execution still covered what it must.

use super::input::{Input, Purpose};
use super::lex::tokens;
use super::needs::Needs;
use super::reduction::Reduction;

/// Blocks are halved until they have this part of the text.
const SMALLEST_PART: usize = 256;

/// Removes everything, else needless tokens and blocks.
fn remove(reduction: &mut Reduction<'_>, part: usize) {
    let text = reduction.input.parts[part].written().to_vec();
    if !text.is_empty() && !reduction.try_text(part, b"") {
        Needs::new(&tokens(&text), part).reduce(reduction);
        remove_blocks(reduction, part);
    }
}

/// Removes ever smaller blocks, from the end on.
fn remove_blocks(reduction: &mut Reduction<'_>, part: usize) {
    let length = reduction.input.parts[part].written().len();
    let mut block = length.div_ceil(2);
    let smallest = length.div_ceil(SMALLEST_PART).max(1);
    loop {
        let mut end = reduction.input.parts[part].written().len();
        while end > 0 && reduction.left > 0 {
            let start = end.saturating_sub(block);
            // What stood before a removed block may be padding now.
            let text = reduction.input.parts[part].written();
            let (before, after) = (start.min(text.len()), end.min(text.len()));
            let without = [&text[..before], &text[after..]].concat();
            reduction.try_text(part, &without);
            end = start;
        }
        if block <= smallest {
            break;
        }
        block = block.div_ceil(2);
    }
}

/// Makes an input smaller with at most `most` executions: `still_covers` executes an input and
/// returns true if it covers what this one must. True if the input changed.
pub fn trim(input: &mut Input, most: usize, still_covers: &mut dyn FnMut(&Input) -> bool) -> bool {
    let before = input.clone();
    let mut reduction = Reduction {
        input,
        left: most,
        still_covers,
    };
    for part in 0..reduction.input.parts.len() {
        match reduction.input.parts[part].purpose() {
            Purpose::Contents => remove(&mut reduction, part),
            Purpose::Number => {
                let zeros = vec![0; reduction.input.parts[part].bytes.len()];
                reduction.try_text(part, &zeros);
            }
            Purpose::Status => {}
        }
    }
    *input != before
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_machine::state::SymbolicObject;
    use homi_solver::term::{ArrayId, Model};

    #[test]
    fn text_that_becomes_padding_on_the_way_is_no_error() {
        let object = SymbolicObject {
            array: ArrayId::new(0),
            name: "stdin".into(),
            size: 16,
        };
        for text in [&b"ab\0\0\0c\0\0d"[..], b"\0\0\0\0a", b"a\n\n\n\nb"] {
            let mut input = Input::new(std::slice::from_ref(&object), &Model::new());
            input.parts[0].write(text);
            let mut keeps_first = |input: &Input| input.parts[0].bytes[0] == text[0];
            trim(&mut input, 1_000, &mut keeps_first);
            assert!(input.parts[0].written().len() <= 1, "{input:?}");
        }
    }
}
