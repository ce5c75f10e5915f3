//! Terms that somebody may have meant who mistyped one.

/// Terms that stand for a mistyped one at most.
const MOST: usize = 3;

/// Returns how many mistakes are looked over in a term; none in short ones, which are all alike.
pub fn mistakes(term: &str) -> Option<usize> {
    match term.chars().count() {
        0..4 => None,
        4 | 5 => Some(1),
        _ => Some(2),
    }
}

/// Returns the nearest of some terms, each with the number of pieces that have it: fewer mistakes first, then the more frequent.
pub fn nearest(term: &str, known: impl IntoIterator<Item = (String, i64)>) -> Vec<String> {
    let Some(most) = mistakes(term) else { return Vec::new() };
    let letters: Vec<char> = term.chars().collect();
    let mut near: Vec<_> = known
        .into_iter()
        .filter_map(|(other, count)| {
            let others: Vec<char> = other.chars().collect();
            distance(&letters, &others, most).map(|distance| (distance, -count, other))
        })
        .collect();
    near.sort();
    near.truncate(MOST);
    near.into_iter().map(|(_, _, other)| other).collect()
}

/// The number of letters to add, drop, change or swap with their neighbour, if it is at most `most`.
fn distance(one: &[char], other: &[char], most: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > most {
        return None;
    }
    let mut earlier: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut now = vec![row + 1];
        for (column, against) in other.iter().enumerate() {
            let mut cost =
                (above[column + 1] + 1).min(now[column] + 1).min(above[column] + usize::from(letter != against));
            let swapped = row > 0 && column > 0 && one[row - 1] == *against && *letter == other[column - 1];
            if swapped {
                cost = cost.min(earlier[column - 1] + 1);
            }
            now.push(cost);
        }
        if now.iter().all(|cost| *cost > most) {
            return None;
        }
        earlier = std::mem::replace(&mut above, now);
    }
    above.last().copied().filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_counted_as_people_make_them() {
        let between =
            |one: &str, other: &str| distance(&one.chars().collect::<Vec<_>>(), &other.chars().collect::<Vec<_>>(), 2);
        assert_eq!(between("corutine", "coroutine"), Some(1));
        assert_eq!(between("awiat", "await"), Some(1), "swapped");
        assert_eq!(between("yeild", "field"), Some(2));
        assert_eq!(between("plugn", "plot"), None);
    }

    #[test]
    fn fewer_mistakes_come_first_then_the_more_frequent() {
        let known = [("sessions", 9), ("session", 2), ("lesions", 50), ("mission", 60)]
            .map(|(term, count)| (term.to_owned(), count));
        assert_eq!(nearest("sesion", known), ["session", "lesions", "sessions"]);
        assert_eq!(nearest("abc", [("abd".to_owned(), 1)]), [""; 0]);
    }
}
