//! A number that stands for texts where the texts themselves would take too much room. It is kept, so that it has to stay the same in
//! every version; what it is used for does no harm if somebody makes two texts with one number.

/// FNV-1a over parts, which are told apart.
pub fn hash(parts: &[&str]) -> i64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    // No UTF-8 has this byte.
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xFF]));
    bytes.fold(0xcbf2_9ce4_8422_2325, step).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_told_apart_and_their_number_stays() {
        assert_ne!(hash(&["ab", "c"]), hash(&["a", "bc"]));
        assert_eq!(hash(&[]), 0xcbf2_9ce4_8422_2325_u64.cast_signed());
        assert_eq!(hash(&["a"]), 620_310_408_636_712_809);
    }
}
