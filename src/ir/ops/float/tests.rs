//! Edge cases, agreement with the host's arithmetic, and the two ways of reading a conversion's
//! range.

use super::convert::convert;
use super::*;
use crate::ops::mask;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn x87(value: f64) -> u128 {
    convert(FloatKind::F64, FloatKind::X87, u128::from(value.to_bits()))
}

fn back(bits: u128) -> f64 {
    f64::from_bits(convert(FloatKind::X87, FloatKind::F64, bits) as u64)
}

#[test]
fn x87_arithmetic_agrees_with_doubles_where_those_are_exact() {
    for (a, b) in [(1.5, 0.25), (-3.0, 7.0), (1e10, 0.5), (0.0, -1.0)] {
        let op = |op| back(binary(op, FloatKind::X87, x87(a), x87(b)));
        assert_eq!(op(FloatOp::Add), a + b);
        assert_eq!(op(FloatOp::Sub), a - b);
        assert_eq!(op(FloatOp::Mul), a * b);
        assert_eq!(op(FloatOp::Rem), a % b);
        assert_eq!(
            compare(FloatCmp::Olt, FloatKind::X87, x87(a), x87(b)),
            a < b
        );
    }
    assert_eq!(x87(1.0), 0x3fff_8000_0000_0000_0000);
}

#[test]
fn x87_square_roots_round_to_the_same_double() {
    for value in [2.0f64, 3.0, 0.5, 1e300, 1e-300, 144.0, 1.0, 0.0, 7.25] {
        let root = back(unary(FloatUnary::Sqrt, FloatKind::X87, x87(value)));
        assert_eq!(root, value.sqrt(), "sqrt({value})");
    }
}

#[test]
fn conversions_out_of_range_are_the_machines() {
    let f64_bits = |value: f64| u128::from(value.to_bits());
    let signed = |width, value| {
        cast(
            FloatCastOp::ToSigned,
            FloatKind::F64,
            FloatKind::F64,
            width,
            f64_bits(value),
        )
    };
    let unsigned = |width, value| {
        cast(
            FloatCastOp::ToUnsigned,
            FloatKind::F64,
            FloatKind::F64,
            width,
            f64_bits(value),
        )
    };
    assert_eq!(signed(32, 3e9), 0x8000_0000);
    assert_eq!(signed(32, f64::NAN), 0x8000_0000);
    assert_eq!(signed(64, 1e30), 1 << 63);
    assert_eq!(signed(32, -1.9), 0xffff_ffff);
    assert_eq!(signed(16, 70000.0), 70000 & 0xffff);
    assert_eq!(unsigned(32, -1.0), 0xffff_ffff);
    assert_eq!(unsigned(64, 1e19), 10_000_000_000_000_000_000);
    assert_eq!(unsigned(64, -1.0), u128::from(u64::MAX));
    assert_eq!(unsigned(64, -0.5), 0);
    let sat = |width, value| {
        cast(
            FloatCastOp::ToSignedSat,
            FloatKind::F64,
            FloatKind::F64,
            width,
            f64_bits(value),
        )
    };
    assert_eq!(sat(8, 1000.0), 127);
    assert_eq!(sat(8, -1000.0), 128);
    assert_eq!(sat(8, f64::NAN), 0);
}

#[test]
fn minimum_and_fmin_differ_on_nan() {
    let nan = u128::from(f64::NAN.to_bits());
    let one = u128::from(1f64.to_bits());
    assert_eq!(binary(FloatOp::MinNum, FloatKind::F64, nan, one), one);
    assert_eq!(binary(FloatOp::MaxNum, FloatKind::F64, one, nan), one);
    assert_eq!(binary(FloatOp::Minimum, FloatKind::F64, nan, one), nan);
    let (other, zero, negative) = (nan | 2, 0, FloatKind::F64.sign());
    for op in [FloatOp::MinNum, FloatOp::MaxNum] {
        assert_eq!(binary(op, FloatKind::F64, nan, other), other);
        assert_eq!(binary(op, FloatKind::F64, zero, negative), zero);
        assert_eq!(binary(op, FloatKind::F64, negative, zero), negative);
    }
}

/// Patterns of a format: special ones and random ones, some of them close to integers.
fn patterns(kind: FloatKind, random: &mut Pcg64Mcg) -> u128 {
    let specials = [
        0,
        1,
        kind.infinity(),
        kind.infinity() | 1,
        kind.quiet_bit() | kind.infinity(),
        kind.infinity() - 1,
    ];
    let sign = if random.random_bool(0.5) {
        kind.sign()
    } else {
        0
    };
    let magnitude = match random.random_range(0..4) {
        0 => specials[random.random_range(0..specials.len())],
        1 => {
            let bits = random.random_range(1..70);
            let integer = random.random::<u128>() & mask(bits);
            let number = from_integer(kind, false, 128, integer);
            number
                .wrapping_add(random.random_range(0..3))
                .wrapping_sub(1)
                & !kind.sign()
        }
        _ => random.random::<u128>() & mask(kind.width()) & !kind.sign(),
    };
    sign | magnitude & mask(kind.width())
}

#[test]
fn operators_agree_with_the_hosts_and_with_software() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for _ in 0..20_000 {
        let draw = |random: &mut Pcg64Mcg, kind| patterns(kind, random);
        let (a, b) = (
            draw(&mut random, FloatKind::F64),
            draw(&mut random, FloatKind::F64),
        );
        let (x, y) = (f64_of(a), f64_of(b));
        let pairs = [
            (FloatOp::Add, x + y),
            (FloatOp::Sub, x - y),
            (FloatOp::Mul, x * y),
            (FloatOp::Div, x / y),
        ];
        for (op, expected) in pairs {
            let found = binary(op, FloatKind::F64, a, b);
            if expected.is_nan() {
                assert!(FloatKind::F64.is_nan(found) && found & FloatKind::F64.quiet_bit() != 0);
            } else {
                assert_eq!(found, u128::from(expected.to_bits()), "{op:?} {x} {y}");
            }
            // Twice rounded through the wider format is once rounded for these operators on f32.
            let (f, g) = (
                draw(&mut random, FloatKind::F32),
                draw(&mut random, FloatKind::F32),
            );
            let wide = |bits| convert(FloatKind::F32, FloatKind::X87, bits);
            let through = binary(op, FloatKind::X87, wide(f), wide(g));
            let through = convert(FloatKind::X87, FloatKind::F32, through);
            let found = binary(op, FloatKind::F32, f, g);
            // Of two NaNs, the x87 gives another one.
            let are_both_nan = [found, through].map(|bits| FloatKind::F32.is_nan(bits));
            assert!(
                found == through || are_both_nan == [true; 2],
                "{op:?} {f:x} {g:x}"
            );
        }
        assert_eq!(compare(FloatCmp::Olt, FloatKind::F64, a, b), x < y);
        assert_eq!(compare(FloatCmp::Une, FloatKind::F64, a, b), x != y);
    }
}

#[test]
fn default_nans_have_the_sign_of_x86() {
    for kind in FloatKind::ALL {
        let invalid = binary(FloatOp::Div, kind, 0, 0);
        assert_eq!(invalid, kind.default_nan(), "{kind:?}");
        let minus_one = from_integer(kind, true, 8, 0xff);
        assert_eq!(unary(FloatUnary::Sqrt, kind, minus_one), kind.default_nan());
        let signalling = kind.infinity() | 1;
        assert_eq!(
            binary(FloatOp::Add, kind, signalling, 0),
            signalling | kind.quiet_bit()
        );
    }
    assert_eq!(FloatKind::F64.default_nan(), 0xfff8_0000_0000_0000);
    assert_eq!(FloatKind::X87.default_nan(), 0xffff_c000_0000_0000_0000);
    // As `cvtss2sd` and `flds` do.
    let single = 0xff81_2345;
    let double = convert(FloatKind::F32, FloatKind::F64, single);
    assert_eq!(double, 0xfff8_2468_a000_0000);
    let extended = convert(FloatKind::F32, FloatKind::X87, single);
    assert_eq!(extended, 0xffff_c123_4500_0000_0000);
}

#[test]
fn integers_are_in_range_where_comparisons_say_so() {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    for _ in 0..30_000 {
        let kind = FloatKind::ALL[random.random_range(0..6)];
        let a = patterns(kind, &mut random);
        let is_signed = random.random_bool(0.5);
        let width = [8, 16, 32, 64, 33][random.random_range(0..5)];
        let ((low, least), (high, most)) = range_of_integer(kind, is_signed, width);
        let inside = compare(low, kind, a, least) && compare(high, kind, a, most);
        // In range: the truncated number and the saturated one are the same.
        let truncated = unary(FloatUnary::Trunc, kind, a);
        let back = from_integer(kind, is_signed, width, saturate(kind, is_signed, width, a));
        let same = compare(FloatCmp::Oeq, kind, truncated, back);
        if inside {
            assert!(same, "{kind:?} {a:x} {is_signed} {width}");
        } else if same {
            // The nearest integer of a number out of range may round to the number itself.
            let infinite = a & !kind.sign() == kind.infinity();
            let wide = saturate(kind, true, 128, a) as i128;
            let limit = 1i128 << (width - u32::from(is_signed));
            assert!(
                infinite || wide >= limit,
                "{kind:?} {a:x} {is_signed} {width}"
            );
        }
    }
}

#[test]
fn x87_square_roots_are_the_nearest() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    let kind = FloatKind::X87;
    for _ in 0..5_000 {
        let a = random.random::<u128>() & mask(79) | 1 << 63;
        if kind.is_nan(a) || a == kind.infinity() {
            continue;
        }
        let root = unary(FloatUnary::Sqrt, kind, a);
        let wide = |bits| convert(FloatKind::X87, FloatKind::F128, bits);
        // a - (root +- half a unit)^2 changes its sign; binary128 holds the neighbors' middle
        // exactly.
        let half = |next: u128| {
            let sum = binary(FloatOp::Add, FloatKind::F128, wide(root), wide(next));
            let two = from_integer(FloatKind::F128, true, 8, 2);
            binary(FloatOp::Div, FloatKind::F128, sum, two)
        };
        let residual = |m: u128| {
            let minus = m ^ FloatKind::F128.sign();
            multiply_add(FloatKind::F128, minus, m, wide(a))
        };
        let negative = |bits: u128| bits & FloatKind::F128.sign() != 0;
        assert!(negative(residual(half(root + 1))), "{a:x}");
        if root as u64 != 1 << 63 {
            assert!(!negative(residual(half(root - 1))), "{a:x}");
        }
    }
}

#[test]
fn codes_name_their_operators() {
    let mut found = 0;
    for group in 0..7u32 {
        for detail in 0..8 {
            for a in 0..8 {
                for b in [0, 1, 3, 64, 128] {
                    let code = group | detail << 8 | a << 16 | b << 24;
                    if let Some(function) = FloatFunction::from_code(code) {
                        let again = FloatFunction::from_code(function.code());
                        assert_eq!(again, Some(function));
                        found += 1;
                    }
                }
            }
        }
    }
    assert!(found > 100);
}

#[test]
fn rounding_modes_enclose_the_exact_result() {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let modes = [
        Rounding::Nearest,
        Rounding::Downward,
        Rounding::Upward,
        Rounding::TowardZero,
    ];
    for _ in 0..20_000 {
        let kind = FloatKind::ALL[random.random_range(0..6)];
        let (a, b) = (patterns(kind, &mut random), patterns(kind, &mut random));
        let ops = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div];
        let op = ops[random.random_range(0..4)];
        let positive = a & !kind.sign();
        let results = [
            modes.map(|mode| binary_rounded(op, kind, mode, a, b)),
            modes.map(|mode| unary_rounded(FloatUnary::Sqrt, kind, mode, positive)),
            modes.map(|mode| unary_rounded(FloatUnary::Rint, kind, mode, a)),
        ];
        let plain = [
            binary(op, kind, a, b),
            unary(FloatUnary::Sqrt, kind, positive),
            unary(FloatUnary::Rint, kind, a),
        ];
        for ([nearest, down, up, zero], plain) in results.into_iter().zip(plain) {
            assert_eq!(nearest, plain, "{kind:?} {op:?} {a:x} {b:x}");
            if kind.is_nan(plain) {
                continue;
            }
            let ordered = |x, y| compare(FloatCmp::Ole, kind, x, y);
            assert!(
                ordered(down, nearest) && ordered(nearest, up),
                "{kind:?} {op:?} {a:x} {b:x}"
            );
            let negative = ordered(up, 0) && !ordered(0, down);
            let expected = if negative { up } else { down };
            let same = compare(FloatCmp::Oeq, kind, zero, expected);
            assert!(
                same,
                "{kind:?} {op:?} {a:x} {b:x}: {zero:x}, not {expected:x}"
            );
        }
    }
}
