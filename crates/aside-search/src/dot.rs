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
    let wide: Vec<i16> = vector.iter().map(|number| i16::from(*number)).collect();
    let mut products = Vec::with_capacity(rows.len() / vector.len().max(1));
    for row in rows.chunks_exact(vector.len().max(1)) {
        products.push(dot_with_avx2(row, &wide));
    }
    products
}

/// Sixteen numbers at once. Compilers make half as much of a plain loop.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn dot_with_avx2(row: &[i8], wide: &[i16]) -> i32 {
    use std::{
        arch::x86_64::{
            __m128i, __m256i, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_madd_epi16, _mm256_setzero_si256,
        },
        mem::transmute,
    };
    let ((row, row_rest), (wide, wide_rest)) = (row.as_chunks::<16>(), wide.as_chunks::<16>());
    let mut sums = _mm256_setzero_si256();
    for (row, wide) in row.iter().zip(wide) {
        #[expect(unsafe_code, reason = "the types have equal sizes, and every value of each is one of the other")]
        let (row, wide) = unsafe { (transmute::<[i8; 16], __m128i>(*row), transmute::<[i16; 16], __m256i>(*wide)) };
        sums = _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_cvtepi8_epi16(row), wide));
    }
    #[expect(unsafe_code, reason = "the types have equal sizes, and every value of each is one of the other")]
    let sums = unsafe { transmute::<__m256i, [i32; 8]>(sums) };
    let rest = row_rest.iter().zip(wide_rest).map(|(one, other)| i32::from(*one) * i32::from(*other));
    sums.into_iter().chain(rest).sum()
}

fn all(rows: &[i8], vector: &[i8]) -> Vec<i32> {
    let dot = |row: &[i8]| row.iter().zip(vector).map(|(one, other)| i32::from(*one) * i32::from(*other)).sum();
    rows.chunks_exact(vector.len().max(1)).map(dot).collect()
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
