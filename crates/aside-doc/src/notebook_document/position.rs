//! Where a cell stands among the others: a text that sorts between those of its neighbours, so that moving a cell changes
//! nothing but the cell. (A list of cells would have it twice when two people move it at once.)

/// In the order in which texts sort.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE: usize = DIGITS.len();
/// Digits of a position that was given without a neighbour after it.
const WIDTH: u32 = 4;

/// Positions for all cells of a notebook at once, with room between them.
pub(super) fn spread(count: usize) -> impl Iterator<Item = String> {
    let step = (BASE.pow(WIDTH) / (count + 2)).clamp(1, BASE.pow(2));
    (1..=count).map(move |at| written(&digits_of(at.saturating_mul(step))))
}

/// Returns a position after `low` and before `high`. What two people give at the same place at the same time differs by
/// `key`, which is the cell's.
pub(super) fn between(low: &str, high: Option<&str>, key: &str) -> String {
    let (low, high) = (read(low), high.map(read));
    let mut digits = match high {
        None => after(&low),
        Some(high) => middle(&low, &high),
    };
    digits.extend(told_apart(key));
    written(&digits)
}

/// The next one with room before it, as long as there is one of the usual width.
fn after(low: &[usize]) -> Vec<usize> {
    let width = WIDTH as usize;
    let number = (0..width).fold(0, |number, at| number * BASE + low.get(at).copied().unwrap_or_default());
    let next = (number / BASE + 1) * BASE;
    if next < BASE.pow(WIDTH) { digits_of(next) } else { middle(low, &[]) }
}

/// Digits between two positions; beyond the end of `high` there is no limit.
fn middle(low: &[usize], high: &[usize]) -> Vec<usize> {
    let (mut digits, mut limited) = (Vec::new(), true);
    for at in 0.. {
        let least = low.get(at).copied().unwrap_or_default();
        let most = high.get(at).copied().filter(|_| limited).unwrap_or(BASE);
        if most > least + 1 {
            digits.push(least + (most - least) / 2);
            break;
        }
        digits.push(least);
        limited &= most <= least;
    }
    digits
}

/// Two digits that follow from a key, the last of them not zero: there is always something before it.
fn told_apart(key: &str) -> [usize; 2] {
    let sum = key.bytes().fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let sum = sum as usize;
    [sum % BASE, 1 + sum / BASE % (BASE - 1)]
}

fn digits_of(mut number: usize) -> Vec<usize> {
    let mut digits = vec![0; WIDTH as usize];
    for digit in digits.iter_mut().rev() {
        (*digit, number) = (number % BASE, number / BASE);
    }
    digits
}

/// What another peer wrote may be anything: what is no digit counts as the one it would sort after.
fn read(position: &str) -> Vec<usize> {
    position.bytes().map(|byte| DIGITS.partition_point(|digit| *digit <= byte).saturating_sub(1)).collect()
}

fn written(digits: &[usize]) -> String {
    digits.iter().map(|digit| char::from(DIGITS[*digit])).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_thousand_at_the_end_stay_short() {
        let mut all = vec![String::new()];
        for cell in 0..1000 {
            all.push(between(&all[cell], None, &cell.to_string()));
        }
        assert!(all.is_sorted() && all.iter().all(|position| position.len() <= 6), "{:?}", all.last());
        let all: Vec<_> = spread(100_000).collect();
        assert!(all.is_sorted() && all[0] > "0".repeat(4) && all.windows(2).all(|two| two[0] != two[1]));
    }

    #[test]
    fn two_at_the_same_place_differ() {
        assert_ne!(between("1", Some("2"), "a"), between("1", Some("2"), "b"));
    }

    proptest! {
        #[test]
        fn is_between_its_neighbours(places in prop::collection::vec(any::<prop::sample::Index>(), 1..120), begin in 0_usize..5) {
            let mut all: Vec<String> = spread(begin).collect();
            for (key, place) in places.iter().enumerate() {
                let at = place.index(all.len() + 1);
                let low = at.checked_sub(1).map_or("", |before| &*all[before]);
                let new = between(low, all.get(at).map(String::as_str), &key.to_string());
                all.insert(at, new);
                prop_assert!(all.windows(2).all(|two| two[0] < two[1]), "{all:?}");
            }
        }

        #[test]
        fn anything_is_taken_for_a_position(low in "\\PC{0,6}", high in prop::option::of("\\PC{0,6}")) {
            prop_assert!(!between(&low, high.as_deref(), "key").is_empty());
        }
    }
}
