//! The safetensors format: a length, a JSON header with places, then numbers.

use std::collections::HashMap;

use serde::Deserialize;

/// Bytes of a header at most; those of small models have about 10,000.
const LONGEST_HEADER: u64 = 10_000_000;

/// A file of tensors.
#[derive(Debug)]
pub struct Tensors {
    bytes: Vec<u8>,
    places: HashMap<String, Place>,
    start: usize,
}

#[derive(Debug, Deserialize)]
struct Place {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl Tensors {
    /// Reads a file's bytes; the error says what is wrong.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, String> {
        let length = bytes.first_chunk().map(|length| u64::from_le_bytes(*length)).ok_or("it is too short")?;
        if length > LONGEST_HEADER {
            return Err("it does not begin with the header of safetensors".to_owned());
        }
        let start = 8 + usize::try_from(length).map_err(|error| error.to_string())?;
        let header = bytes.get(8..start).ok_or("it ends within its header")?;
        let mut header: HashMap<String, serde_json::Value> =
            serde_json::from_slice(header).map_err(|error| format!("its header is no JSON: {error}"))?;
        header.remove("__metadata__");
        let place = |(name, value)| match serde_json::from_value(value) {
            Ok(place) => Ok((name, place)),
            Err(error) => Err(format!("tensor `{name}`: {error}")),
        };
        let places = header.into_iter().map(place).collect::<Result<_, String>>()?;
        Ok(Self { bytes, places, start })
    }

    /// Returns the numbers of a tensor of this shape. Names may have a `bert.` in front.
    pub fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        let place = self.places.get(name).or_else(|| self.places.get(&format!("bert.{name}")));
        let place = place.ok_or_else(|| format!("it has no tensor `{name}`: it is not of the BERT family"))?;
        if place.shape != shape {
            return Err(format!("tensor `{name}` has the shape {:?} in place of {shape:?}", place.shape));
        }
        let range = self.start.saturating_add(place.data_offsets.0)..self.start.saturating_add(place.data_offsets.1);
        let bytes = self.bytes.get(range).ok_or_else(|| format!("tensor `{name}` lies outside the file"))?;
        let numbers: Vec<f32> = match place.dtype.as_str() {
            "F32" => bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            "F16" => bytes.as_chunks().0.iter().map(|bytes| half(u16::from_le_bytes(*bytes))).collect(),
            "BF16" => bytes
                .as_chunks()
                .0
                .iter()
                .map(|bytes| f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16))
                .collect(),
            other => {
                return Err(format!("tensor `{name}` has numbers of the kind {other}; F32, F16 and BF16 are read"));
            }
        };
        let count = shape.iter().try_fold(1_usize, |count, side| count.checked_mul(*side));
        if count != Some(numbers.len()) {
            return Err(format!("tensor `{name}` has {} numbers in place of {shape:?}", numbers.len()));
        }
        Ok(numbers)
    }
}

/// A number of IEEE 754's 16 bits.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let (exponent, fraction) = (u32::from(bits >> 10) & 0x1f, u32::from(bits) & 0x3ff);
    match exponent {
        // Subnormal: fraction * 2^-24.
        #[expect(clippy::cast_precision_loss, reason = "ten bits fit")]
        0 => f32::from_bits(sign | (fraction as f32 * 2f32.powi(-24)).to_bits()),
        31 => f32::from_bits(sign | 0x7f80_0000 | (fraction << 13)),
        _ => f32::from_bits(sign | ((exponent + 112) << 23) | (fraction << 13)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), data].concat()
    }

    #[test]
    fn numbers_are_read_by_kind_and_shape() {
        let header = r#"{"__metadata__":{"a":"b"},"x":{"dtype":"F16","shape":[1,2],"data_offsets":[0,4]},"bert.y":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#;
        let data = [0x00, 0x3c, 0x00, 0xc0, 0, 0, 0x20, 0x40];
        let tensors = Tensors::parse(file(header, &data)).unwrap();
        assert_eq!(tensors.numbers("x", &[1, 2]).unwrap(), [1.0, -2.0]);
        assert_eq!(tensors.numbers("y", &[1]).unwrap(), [2.5]);
        assert!(tensors.numbers("x", &[2]).unwrap_err().contains("shape"));
        assert!(tensors.numbers("z", &[2]).unwrap_err().contains("no tensor `z`"));
    }

    #[test]
    fn places_outside_the_file_are_errors() {
        let header = r#"{"x":{"dtype":"F32","shape":[1],"data_offsets":[4,18446744073709551615]}}"#;
        assert!(Tensors::parse(file(header, &[])).unwrap().numbers("x", &[1]).unwrap_err().contains("outside"));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = Tensors::parse(bytes);
        }
    }
}
