//! Numbers as bytes: seven bits each, the last byte of a number without the eighth.

/// Adds a number.
pub fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Takes a number off the start; none at the end, or if the rest is torn.
#[inline]
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    if *first < 0x80 {
        return Some(u64::from(*first));
    }
    take_long(bytes, u64::from(*first & 0x7f))
}

fn take_long(bytes: &mut &[u8], mut number: u64) -> Option<u64> {
    for shift in (7..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(*byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Takes a row number that is so far behind the last one.
#[inline]
pub fn take_row(bytes: &mut &[u8], last: u32) -> Option<u32> {
    u32::try_from(take(bytes)?).ok()?.checked_add(last)
}

/// Takes so many bytes off the start.
#[inline]
pub fn take_bytes<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn numbers_survive_as_bytes(numbers: Vec<u64>) {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|number| put(&mut bytes, *number));
            let mut rest = bytes.as_slice();
            let read: Vec<_> = std::iter::from_fn(|| take(&mut rest)).collect();
            proptest::prop_assert_eq!(read, numbers);
        }

        #[test]
        fn torn_bytes_end(bytes: Vec<u8>) {
            let mut rest = bytes.as_slice();
            while take(&mut rest).is_some() {}
        }
    }
}
