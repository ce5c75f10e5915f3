//! Tables some of whose rows can't be done any more: these rows are marked, and the others can still be submitted.

use std::collections::BTreeMap;

use aside_core::{Failure, NoteRow, Outcome, Preview, PreviewBody, RefusedBy};

use crate::{
    Gate, GateError, Handler,
    approval::{Findings, Look, Stopped},
    call,
    record::StoredAction,
};

/// Each stale row costs some attempts, so a table with more of them is refused whole.
const MOST_STALE: usize = 50;

/// The reasons why parts can't be done, by the part.
type Problems = BTreeMap<u32, String>;

impl Gate {
    /// Shows a table again with marks at the rows that can't be done now. Says why nothing can be done if that are all of them.
    pub(crate) async fn mark_stale_rows(
        &self,
        action: StoredAction,
        handler: &dyn Handler,
        stopped: &Stopped,
    ) -> Result<GateError, GateError> {
        let failure = stopped.failure();
        let is_table = action.record.preview.as_ref().is_some_and(Preview::is_submitted_once);
        if !is_table || !is_about_rows(stopped) {
            return self.stale(action, &failure).await;
        }
        let Some((found, problems)) = self.without_stale_rows(&action, handler).await else {
            return self.stale(action, &failure).await;
        };
        match self.ask_again(action, found).await? {
            GateError::Stale { record, .. } => Ok(GateError::Stale { reason: reason(&problems), record }),
            other => Ok(other),
        }
    }

    /// Looks at the rows that can be done together. None if there are none, or if nearly all are stale.
    async fn without_stale_rows(&self, action: &StoredAction, handler: &dyn Handler) -> Option<(Findings, Problems)> {
        let (mut good, mut problems) = (Vec::new(), Problems::new());
        let mut halves = vec![action.record.open_parts()];
        while let Some(mut parts) = halves.pop() {
            match self.look_at_rows(action, handler, &parts).await {
                Ok(_) => good.append(&mut parts),
                Err(failure) if parts.len() < 2 => {
                    problems.extend(parts.first().map(|part| (*part, failure.to_string())));
                }
                Err(_) => {
                    let second = parts.split_off(parts.len() / 2);
                    halves.extend([second, parts]);
                }
            }
            if problems.len() > MOST_STALE {
                return None;
            }
        }
        if good.is_empty() || problems.is_empty() {
            return None;
        }
        good.sort_unstable();
        let mut found = self.look_at_rows(action, handler, &good).await.ok()?;
        found.preview = Some(marked(action.record.preview.as_ref()?, &good, found.preview?, &problems));
        Some((found, problems))
    }

    async fn look_at_rows(
        &self,
        action: &StoredAction,
        handler: &dyn Handler,
        parts: &[u32],
    ) -> Result<Findings, Failure> {
        let shown = action.record.preview.as_ref().ok_or_else(|| Failure::new("no_parts", "it has no preview"))?;
        let args = call::parts(handler, &action.record.envelope.args, shown, parts)?;
        let child = self.child(action, args, parts);
        self.look(&child, handler, Look::Closely).await.map_err(|stopped| stopped.failure())
    }
}

/// Tells whether the handler found the rows to be at fault, and not a rule or a grant the asker.
fn is_about_rows(stopped: &Stopped) -> bool {
    matches!(&stopped.outcome, Outcome::Failed { .. } | Outcome::Refused { by: RefusedBy::Request, .. })
}

/// The table of the rows that can be done, under their old numbers, and the stale rows as they were shown, each with its reason.
fn marked(shown: &Preview, good: &[u32], found: Preview, problems: &Problems) -> Preview {
    let (PreviewBody::Rows { rows: before }, PreviewBody::Rows { rows: now }) = (&shown.body, found.body) else {
        return shown.clone();
    };
    let stale = before.iter().filter_map(|row| {
        let problem = problems.get(&row.part)?;
        Some(NoteRow { problem: Some(problem.clone()), ..row.clone() })
    });
    let as_before = |row: NoteRow| {
        let part = usize::try_from(row.part).ok().and_then(|at| good.get(at)).copied();
        NoteRow { part: part.unwrap_or(row.part), ..row }
    };
    let mut rows: Vec<_> = now.into_iter().map(as_before).chain(stale).collect();
    rows.sort_by_key(|row| row.part);
    Preview { body: PreviewBody::Rows { rows }, ..found }
}

/// Counted from 1, as a person counts.
fn reason(problems: &Problems) -> String {
    let rows: Vec<_> = problems.keys().map(|part| (part + 1).to_string()).collect();
    let first = problems.values().next().map(String::as_str).unwrap_or_default();
    match rows.as_slice() {
        [row] => format!("row {row} is out of date: {first}. The other rows can be submitted"),
        _ => format!(
            "rows {} are out of date, the first because {first}. The other rows can be submitted",
            rows.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{ActionState, Decision};

    use super::*;
    use crate::testing::Bench;

    const THREE: &[(&str, &str)] = &[("one", "1"), ("two", "2"), ("three", "3")];

    #[tokio::test]
    async fn stale_row_is_marked_and_left_out() {
        for first in [None, Some(&[0, 2][..]), Some(&[1][..])] {
            let bench = Bench::new("one two three");
            let id = bench.propose_table(THREE).await;
            bench.world.set("one TWO three");
            let error = bench.submit_rows(&id, first).await.unwrap_err();
            assert_eq!((error.failure().code.as_str(), bench.runs()), ("stale", 0));
            assert!(error.to_string().contains("row 2 is out of date: there is no line `two`"), "{error}");
            let PreviewBody::Rows { rows } = bench.gate.record(&id).unwrap().preview.unwrap().body else { panic!() };
            let shown: Vec<_> =
                rows.iter().map(|row| (row.part, row.before.as_deref(), row.problem.is_some())).collect();
            assert_eq!(shown, [(0, Some("one"), false), (1, Some("two"), true), (2, Some("three"), false)]);
            let done = bench.submit_rows(&id, None).await.unwrap();
            assert_eq!((done.state, bench.world.text().as_str()), (ActionState::Done, "1 TWO 3"));
            let Some(Outcome::Done { observation }) = done.outcome else { panic!() };
            assert_eq!(observation.data["rejected"], serde_json::json!([1]));
        }
    }

    #[tokio::test]
    async fn stale_row_can_not_be_submitted() {
        let bench = Bench::new("one two three");
        let id = bench.propose_table(THREE).await;
        bench.world.set("one TWO three");
        for parts in [&[0, 1, 2][..], &[1], &[0, 1]] {
            let error = bench.submit_rows(&id, Some(parts)).await.unwrap_err();
            assert!(error.to_string().starts_with("row 2 is out of date"), "{error}");
        }
        assert_eq!(bench.runs(), 0);
        assert_eq!(bench.submit_rows(&id, Some(&[2])).await.unwrap().state, ActionState::Done);
        assert_eq!(bench.world.text(), "one TWO 3");
    }

    #[tokio::test]
    async fn row_that_is_back_is_shown_again() {
        let bench = Bench::new("one two three");
        let id = bench.propose_table(THREE).await;
        bench.world.set("one TWO three");
        bench.submit_rows(&id, None).await.unwrap_err();
        bench.world.set("one two three");
        bench.submit_rows(&id, None).await.unwrap_err();
        assert!(bench.gate.record(&id).unwrap().preview.unwrap().stale_parts().is_empty());
        bench.submit_rows(&id, None).await.unwrap();
        assert_eq!(bench.world.text(), "1 2 3");
    }

    #[tokio::test]
    async fn table_of_stale_rows_stays_as_shown() {
        let bench = Bench::new("one two");
        let id = bench.propose_table(&[("one", "1"), ("two", "2")]).await;
        let before = bench.gate.record(&id).unwrap();
        bench.world.set("ONE TWO");
        let error = bench.submit_rows(&id, None).await.unwrap_err();
        assert!(error.to_string().starts_with("this is not possible now"), "{error}");
        assert_eq!(bench.gate.record(&id).unwrap().preview, before.preview);
        bench.gate.decide(&id, Decision::reject(None), "ada").await.unwrap();
        assert_eq!(bench.runs(), 0);
    }
}
