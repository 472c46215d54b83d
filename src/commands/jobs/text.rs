//! Bytes and sets of numbers as text in JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Bytes, written as two hexadecimal digits each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |place: u8| char::from(DIGITS[usize::from(place)]);
        let text: String = self
            .0
            .iter()
            .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
            .collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse(&text)
            .map(Bytes)
            .ok_or_else(|| de::Error::custom("expected hexadecimal digits"))
    }
}

fn parse(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => Some((digit(*high)? << 4 | digit(*low)?) as u8),
            _ => None,
        })
        .collect()
}

/// Set of numbers, written as a bit set from the lowest number on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Numbers(pub Vec<u32>);

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let most = self.0.iter().max();
        let mut bits = vec![0u8; most.map_or(0, |most| *most as usize / 8 + 1)];
        for number in &self.0 {
            bits[*number as usize / 8] |= 1 << (number % 8);
        }
        Bytes(bits).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Bytes(bits) = Bytes::deserialize(deserializer)?;
        let all = 0..bits.len() as u32 * 8;
        let is_in = |number: &u32| bits[*number as usize / 8] & 1 << (number % 8) != 0;
        Ok(Numbers(all.filter(is_in).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_numbers_come_back() {
        let bytes = Bytes(vec![0, 7, 0xfe, 0x3c]);
        let text = serde_json::to_string(&bytes).unwrap();
        assert_eq!(text, "\"0007fe3c\"");
        assert_eq!(serde_json::from_str::<Bytes>(&text).unwrap(), bytes);
        for wrong in ["\"0\"", "\"0g\"", "\"é\"", "3"] {
            assert!(serde_json::from_str::<Bytes>(wrong).is_err(), "{wrong}");
        }
        let numbers = Numbers(vec![0, 9, 1000]);
        let text = serde_json::to_string(&numbers).unwrap();
        assert_eq!(serde_json::from_str::<Numbers>(&text).unwrap(), numbers);
        assert!(
            serde_json::from_str::<Numbers>("\"\"")
                .unwrap()
                .0
                .is_empty()
        );
    }
}
