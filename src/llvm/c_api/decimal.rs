//! Integers of any width, which LLVM's C interface tells as decimal text only.

/// The lowest `count` words of a decimal number in two's complement.
pub(super) fn words_of_decimal(text: &str, count: usize) -> Vec<u64> {
    let mut words = vec![0u64; count];
    let digits = text.trim_start_matches('-').bytes();
    for digit in digits.filter(u8::is_ascii_digit) {
        let mut carry = u128::from(digit - b'0');
        for word in &mut words {
            carry += u128::from(*word) * 10;
            *word = carry as u64;
            carry >>= 64;
        }
    }
    if text.starts_with('-') {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words_of_decimal;

    #[test]
    fn decimals_become_words_in_twos_complement() {
        assert_eq!(words_of_decimal("0", 3), [0, 0, 0]);
        assert_eq!(words_of_decimal("-1", 3), [u64::MAX; 3]);
        // 2^64 + 5 and its negative
        assert_eq!(words_of_decimal("18446744073709551621", 3), [5, 1, 0]);
        let negative = [5u64.wrapping_neg(), !1, u64::MAX];
        assert_eq!(words_of_decimal("-18446744073709551621", 3), negative);
        // 2^128
        let wide = "340282366920938463463374607431768211456";
        assert_eq!(words_of_decimal(wide, 3), [0, 0, 1]);
        assert_eq!(words_of_decimal("-18446744073709551616", 2), [0, u64::MAX]);
    }
}
