//! Which of several records of one response counts.
//!
//! A log may tell of a response many times: in another session that took up this one, in the log of a model that this one
//! started. The rule does not depend on the order in which they are read.

use std::{cmp::Reverse, path::Path};

use crate::database;

/// A record of a response, beside others with the same message id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The row's number.
    pub id: i64,
    /// The number of its session.
    pub session: i64,
    /// What stands for the request's id.
    pub request: Option<i64>,
    /// It was told of by a model that another had started.
    pub side: bool,
    /// All its tokens.
    pub total: i64,
    /// It says how hastily it was served.
    pub fast: bool,
    /// When the last record of its session was written: a session that took up another one ends after it.
    pub last: Option<i64>,
    /// The file that it is in: decides where nothing else does.
    pub path: String,
    /// Whether it counts so far.
    pub counts: bool,
}

/// The numbers of the rows that count. A record of the model that was asked by a person beats those of models that it started,
/// which tell of it again under another request; of the rest, each request has one, the fullest.
pub fn which_count(candidates: &[Candidate]) -> Vec<i64> {
    let direct: Vec<&Candidate> = candidates.iter().filter(|one| !one.side).collect();
    if direct.is_empty() {
        return best(candidates.iter()).into_iter().collect();
    }
    let mut requests: Vec<Option<i64>> = direct.iter().map(|one| one.request).collect();
    requests.sort();
    requests.dedup();
    // Without a request's id the message's alone tells.
    if requests.contains(&None) {
        return best(direct.into_iter()).into_iter().collect();
    }
    let of = |request: Option<i64>| best(direct.iter().copied().filter(|one| one.request == request));
    requests.into_iter().filter_map(of).collect()
}

fn best<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> Option<i64> {
    // A database beats the files that its program wrote before it had one, and left as they were then.
    let in_database = |one: &Candidate| database::is_one(Path::new(&one.path));
    let order =
        |one: &&Candidate| (in_database(one), one.total, one.fast, Reverse((one.last, one.path.clone(), one.id)));
    candidates.max_by_key(order).map(|one| one.id)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hash::hash;

    fn candidate(id: i64, request: Option<&str>, side: bool, total: i64) -> Candidate {
        let request = request.map(|request| hash(&[request]));
        Candidate {
            id,
            session: 1,
            request,
            side,
            total,
            fast: false,
            last: None,
            path: format!("{id}"),
            counts: false,
        }
    }

    #[test]
    fn each_response_counts_once() {
        let check = |candidates: &[Candidate], expected: &[i64]| assert_eq!(which_count(candidates), expected);
        let direct = |id, request, total| candidate(id, Some(request), false, total);
        let side = |id, request, total| candidate(id, Some(request), true, total);
        check(&[direct(1, "a", 5), direct(2, "a", 9)], &[2]);
        check(&[direct(1, "a", 5), direct(2, "b", 9)], &[1, 2]);
        check(&[direct(1, "a", 5), side(2, "b", 9)], &[1]);
        check(&[side(1, "a", 5), side(2, "b", 9)], &[2]);
        check(&[direct(1, "a", 5), candidate(2, None, false, 9)], &[2]);
        check(&[direct(1, "a", 5), direct(2, "a", 5)], &[1]);
        let kept = Candidate { path: "opencode.db".to_owned(), ..direct(3, "a", 4) };
        check(&[direct(1, "a", 5), kept], &[3]);
    }

    proptest! {
        #[test]
        fn the_order_of_reading_does_not_matter(rows in prop::collection::vec((0usize..3, any::<bool>(), 0i64..3), 1..8)) {
            let request = |number: usize| [None, Some("a"), Some("b")][number];
            let rows: Vec<Candidate> = (0i64..).zip(rows).map(|(id, (of, side, total))| candidate(id, request(of), side, total)).collect();
            let backwards: Vec<Candidate> = rows.iter().rev().cloned().collect();
            prop_assert_eq!(which_count(&rows), which_count(&backwards));
            prop_assert!(!which_count(&rows).is_empty());
        }
    }
}
