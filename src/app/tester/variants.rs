//! Inputs near a test: what a program computes without a branch shows on other values.
//!
//! Invariant: they are the same for the same test and seed.

use homi_native::testcase::ktest::{KTest, Object};

/// Variants of a test.
const VARIANTS: u64 = 6;

/// Bytes that programs often treat specially.
const TELLING: [u8; 12] = [
    0, 1, 2, 0x7f, 0x80, 0xff, b'0', b'9', b'a', b'Z', b'-', b' ',
];

/// Other values for the bytes of the objects that are content, not sizes or attributes of files.
pub(super) fn variants(test: &KTest, seed: u64, name: &str) -> Vec<KTest> {
    let mut random = name
        .bytes()
        .fold(seed | 1, |state, byte| next(state ^ u64::from(byte)));
    let mut made = Vec::new();
    for number in 0..VARIANTS {
        let mut variant = test.clone();
        for object in variant
            .objects
            .iter_mut()
            .filter(|object| is_content(object))
        {
            for byte in &mut object.bytes {
                random = next(random);
                let place = (random >> 33) as usize;
                *byte = match number {
                    // One value in all places, then a few places, then all of them.
                    0 | 1 => byte.wrapping_add(number as u8 + 1),
                    2 | 3 if random % 4 != 0 => *byte,
                    2..=4 => TELLING[place % TELLING.len()],
                    _ => place as u8,
                };
            }
        }
        made.push(variant);
    }
    made
}

fn is_content(object: &Object) -> bool {
    let name = object.name_text();
    let is_argument = name
        .strip_prefix("arg")
        .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let is_about = [
        "n_args",
        "model_version",
        "_stat",
        "-stat",
        ":layout",
        "size",
    ];
    let is_file = name == "stdin" || name.ends_with("_data") || name.ends_with("-data");
    let is_of_model = is_about.iter().any(|end| name.ends_with(end));
    is_argument || is_file || !is_of_model
}

/// Vigna's xorshift64*.
fn next(state: u64) -> u64 {
    let mut x = state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    x.wrapping_mul(0x2545_f491_4f6c_dd1d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_differ_in_content_and_are_the_same_again() {
        let mut test = KTest::new([b"p".to_vec()]);
        test.push("n_args", vec![1, 0, 0, 0]);
        test.push("arg00", vec![b'a', 0]);
        let made = variants(&test, 7, "test000001");
        assert_eq!(made.len(), VARIANTS as usize);
        assert_eq!(made, variants(&test, 7, "test000001"));
        assert_eq!(made[0].object("arg00").unwrap().bytes, [b'b', 1]);
        assert!(
            made.iter()
                .all(|one| one.object("n_args").unwrap().bytes == [1, 0, 0, 0])
        );
    }
}
