//! Products of vectors of bytes, with the widest instructions that the processor has.

/// Returns the product of a vector with each of the rows, which stand one behind the other.
pub fn products(rows: &[i8], vector: &[i8]) -> Vec<i32> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "the processor has these instructions: the line above asks it")]
        return unsafe { with_avx2(rows, vector) };
    }
    all(rows, vector)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(rows: &[i8], vector: &[i8]) -> Vec<i32> {
    all(rows, vector)
}

/// Written so that compilers make vector instructions of it, with those of the function that it is a part of.
#[inline(always)]
fn all(rows: &[i8], vector: &[i8]) -> Vec<i32> {
    rows.chunks_exact(vector.len().max(1)).map(|row| dot(row, vector)).collect()
}

#[inline(always)]
fn dot(row: &[i8], vector: &[i8]) -> i32 {
    row.iter().zip(vector).map(|(one, other)| i32::from(*one) * i32::from(*other)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn wide_instructions_change_no_product(rows: Vec<i8>, vector in proptest::collection::vec(proptest::num::i8::ANY, 1..70)) {
            proptest::prop_assert_eq!(products(&rows, &vector), all(&rows, &vector));
        }
    }

    #[test]
    fn products_of_whole_rows_are_returned() {
        assert_eq!(products(&[1, 2, 3, 4, 5], &[10, -1]), [8, 26]);
        assert_eq!(products(&[-127; 384], &[127; 384]), [-127 * 127 * 384]);
    }
}
