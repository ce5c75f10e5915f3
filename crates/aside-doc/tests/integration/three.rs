//! Two people and an agent edit one notebook at once, each with a copy that is behind: all end the same, and nothing that
//! somebody wrote is lost or there twice. `ASIDE_STEPS=100000 cargo test -p aside-doc --test integration three` takes its time.

use std::collections::{BTreeMap, BTreeSet};

use aside_doc::{CellChange, NotebookCell, NotebookDocument, Splice};
use aside_notebook::{CellKey, CellKind};

const STEPS: u64 = 1_500;
/// The letters that are written, each once, begin here.
const FIRST_LETTER: u32 = 0xF_0000;

/// Numbers that look drawn, the same in each run.
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % most as u64).unwrap()
    }
}

/// What was written: where each letter is to be found, and which cells were taken away.
#[derive(Default)]
struct Written {
    letters: BTreeMap<char, CellKey>,
    removed: BTreeSet<CellKey>,
    cells: usize,
    count: u32,
}

impl Written {
    fn letter(&mut self, cell: &CellKey) -> String {
        // The two planes for private use, without the two at the end of the first that are no letters.
        let gap = if self.count < 0xFFFE { 0 } else { 2 };
        let letter = char::from_u32(FIRST_LETTER + self.count + gap).expect("there are letters left");
        self.count += 1;
        self.letters.insert(letter, cell.clone());
        letter.to_string()
    }
}

fn new_cell(written: &mut Written) -> NotebookCell {
    written.cells += 1;
    let key = CellKey(format!("cell-{}", written.cells));
    let source = written.letter(&key);
    NotebookCell { key, kind: CellKind::Code, source, metadata: BTreeMap::new(), others: BTreeMap::new() }
}

/// One thing that somebody does in a copy as it is.
fn change(drawn: &mut Drawn, cells: &[NotebookCell], written: &mut Written) -> CellChange {
    let any = |drawn: &mut Drawn| cells[drawn.below(cells.len())].clone();
    let after = |drawn: &mut Drawn| drawn.below(cells.len() + 1).checked_sub(1).map(|at| cells[at].key.clone());
    match drawn.below(12) {
        0 | 1 => CellChange::Insert { after: after(drawn), cell: new_cell(written) },
        2 if cells.len() > 4 => {
            let key = any(drawn).key;
            written.removed.insert(key.clone());
            CellChange::Remove { key }
        }
        3 | 4 => {
            let (key, after) = (any(drawn).key, after(drawn));
            CellChange::Move { after: after.filter(|after| *after != key), key }
        }
        5 => {
            let kinds = [CellKind::Code, CellKind::Markdown, CellKind::Ai, CellKind::Sql];
            CellChange::Kind { key: any(drawn).key, kind: kinds[drawn.below(4)].clone() }
        }
        _ => {
            let cell = any(drawn);
            let places: Vec<usize> = cell.source.char_indices().map(|(at, _)| at).chain([cell.source.len()]).collect();
            let at = places[drawn.below(places.len())];
            let insert = written.letter(&cell.key);
            CellChange::Source { key: cell.key, splices: vec![Splice { range: at..at, insert }] }
        }
    }
}

fn tell(from: &NotebookDocument, to: &mut NotebookDocument) {
    to.replica_mut().merge(&from.replica().encode_state()).unwrap();
}

#[test]
fn two_people_and_an_agent_end_with_the_same_notebook_and_nothing_is_lost() {
    let steps = std::env::var("ASIDE_STEPS").ok().and_then(|steps| steps.parse().ok()).unwrap_or(STEPS);
    let (mut drawn, mut written) = (Drawn(7), Written::default());
    let mut server = NotebookDocument::from_notebook(&aside_notebook::Notebook::new());
    for _ in 0..5 {
        let cell = new_cell(&mut written);
        server.apply(&[CellChange::Insert { cell, after: None }], "server").unwrap();
    }
    let copy = |of: &NotebookDocument| NotebookDocument::from_updates([of.replica().encode_state()]).unwrap();
    let mut people = [copy(&server), copy(&server)];
    let (mut read, mut refused) = (server.cells(), 0);
    for _ in 0..steps {
        match drawn.below(10) {
            // The agent acts on what it read, on the server, and is refused where that has changed.
            0 => read = server.cells(),
            1 | 2 => {
                let changed = change(&mut drawn, &read, &mut written);
                let version = |cells: &[NotebookCell], key: &CellKey| {
                    cells.iter().find(|cell| cell.key == *key).map(|cell| cell.source.clone())
                };
                let is_stale = match &changed {
                    CellChange::Insert { .. } => false,
                    CellChange::Move { key, .. }
                    | CellChange::Remove { key }
                    | CellChange::Kind { key, .. }
                    | CellChange::Source { key, .. }
                    | CellChange::Metadata { key, .. } => version(&read, key) != version(&server.cells(), key),
                };
                if is_stale || server.apply(std::slice::from_ref(&changed), "agent").is_err() {
                    refused += 1;
                    take_back(&changed, &mut written);
                }
            }
            3 => people.iter().for_each(|person| tell(person, &mut server)),
            4 => people.iter_mut().for_each(|person| tell(&server, person)),
            other => {
                let person = &mut people[other % 2];
                let changed = change(&mut drawn, &person.cells(), &mut written);
                person.apply(&[changed], "person").unwrap();
            }
        }
    }
    for _ in 0..2 {
        people.iter().for_each(|person| tell(person, &mut server));
        people.iter_mut().for_each(|person| tell(&server, person));
    }
    let end = server.cells();
    assert!(people.iter().all(|person| person.cells() == end), "all have the same");
    assert!(refused > 0 && written.letters.len() > usize::try_from(steps / 4).unwrap(), "there was something to lose");
    for (letter, key) in written.letters.iter().filter(|(_, key)| !written.removed.contains(*key)) {
        let cell = end.iter().find(|cell| cell.key == *key).unwrap_or_else(|| panic!("cell {} is lost", key.0));
        assert_eq!(cell.source.matches(*letter).count(), 1, "{letter:?} of {}", key.0);
    }
    let keys: BTreeSet<_> = end.iter().map(|cell| cell.key.clone()).collect();
    assert_eq!(keys.len(), end.len(), "no cell is there twice");
}

/// What was refused was not written.
fn take_back(changed: &CellChange, written: &mut Written) {
    match changed {
        CellChange::Insert { cell, .. } => written.letters.retain(|_, key| *key != cell.key),
        CellChange::Source { splices, .. } => {
            let letters = splices.iter().flat_map(|splice| splice.insert.chars());
            letters.for_each(|letter| drop(written.letters.remove(&letter)));
        }
        // Somebody else may have taken it away, too: then it is only not looked for.
        CellChange::Remove { .. } | CellChange::Move { .. } | CellChange::Kind { .. } | CellChange::Metadata { .. } => {
        }
    }
}
