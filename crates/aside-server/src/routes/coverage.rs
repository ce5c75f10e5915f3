//! The action that does the same as each writing route, or why there is none. The tests write the rows of `docs/coverage.md`,
//! and fail for a route that has neither.

use super::writes::{Trace, WRITES};

const DECIDES: &str =
    "It is your answer to an action or a plan: if an action could give it, models could approve themselves.";
const SECRET: &str = "It hands out or takes in a secret, which no request and no log may hold.";
const NOT_YET: &str = "Not yet.";

/// Routes whose own name in the activity log is no action: that name, and the action or the reason for none.
const NOTED: &[(&str, Covered)] = &[
    ("session.open", Reason(SECRET)),
    ("session.make_link", Reason(SECRET)),
    ("thread.change", Action("thread.rename`, `thread.archive`, `thread.set_model")),
    ("thread.send", Reason("A message is your own words to a model: `aside ask` and the page send it.")),
    ("task.create", Action("task.plan")),
    ("task.decide", Reason(DECIDES)),
    (
        "task.resume",
        Reason("It goes on with a plan that you have confirmed: if an action could, models could go on with it."),
    ),
    ("task.undo", Reason("The undo of a task is a plan of its own, whose steps are actions.")),
    ("task.run_again", Reason("It makes a plan anew, whose steps are actions.")),
    ("recipe.run", Reason("It makes a plan, whose steps are actions.")),
    ("grant.make_token", Reason(SECRET)),
    ("guest.make_link", Reason(SECRET)),
    ("history.set", Reason(NOT_YET)),
    ("history.pull", Reason(NOT_YET)),
    ("model.set_key", Reason(SECRET)),
    ("model.forget_key", Reason("It goes with setting a key, which is a secret.")),
    ("model.set_prices", Reason(NOT_YET)),
    ("cell.answer_input", Reason("It is input to code whose run is an action, like typing in a document.")),
    ("cell.take_more_output", Reason("It lets a run go on that is an action.")),
    ("speech.transcribe", Reason("A recording is your own voice, and only you can start one.")),
    ("spending.set_limits", Action("spending.set_limit")),
    ("statistics.forget", Reason("It deletes counts about you: only you decide about them.")),
];

/// How a route is covered.
#[derive(Clone, Copy, Debug)]
enum Covered {
    Action(&'static str),
    Reason(&'static str),
}

use Covered::{Action, Reason};

/// Finds how a route is covered. `known` are the names of all actions.
fn covered(trace: Trace, known: &str) -> Option<String> {
    let name = match trace {
        Trace::Action("any action") => return Some("all actions".to_owned()),
        Trace::Action(name) => return Some(format!("`{name}`")),
        Trace::Untraced(reason) => return Some(sentence(reason)),
        Trace::Noted(name, ..) | Trace::Own(name) => name,
    };
    match NOTED.iter().find(|(noted, _)| *noted == name) {
        Some((_, Action(action))) => Some(format!("`{action}`")),
        Some((_, Reason(reason))) => Some((*reason).to_owned()),
        None => known.contains(&format!("## `{name}`\n")).then(|| format!("`{name}`")),
    }
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    format!("{}.", first.chain(letters).collect::<String>())
}

#[expect(clippy::disallowed_methods, reason = "the tests read and write the pages")]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    const MARKS: [&str; 2] = ["<!-- routes -->\n", "<!-- /routes -->\n"];

    /// The pages of all actions, as one text.
    fn actions() -> String {
        let pages = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/actions")).unwrap();
        pages.map(|page| fs::read_to_string(page.unwrap().path()).unwrap()).collect()
    }

    #[test]
    fn every_writing_route_has_action_or_reason() {
        let known = actions();
        let without: Vec<_> =
            WRITES.iter().filter(|(.., trace)| covered(*trace, &known).is_none()).map(|(_, path, _)| path).collect();
        assert!(without.is_empty(), "add an action or a reason for these to NOTED: {without:?}");
        for (noted, covered) in NOTED {
            let is_used = |trace: &Trace| matches!(trace, Trace::Noted(name, ..) | Trace::Own(name) if name == noted);
            assert!(WRITES.iter().any(|(.., trace)| is_used(trace)), "{noted} is gone");
            assert!(!known.contains(&format!("## `{noted}`\n")), "{noted} is an action by now");
            if let Action(names) = covered {
                let missing = names.split("`, `").find(|name| !known.contains(&format!("## `{name}`\n")));
                assert_eq!(missing, None, "{noted}");
            }
        }
    }

    #[test]
    fn coverage_page_lists_every_writing_route() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/coverage.md");
        let known = actions();
        let page = fs::read_to_string(&path).unwrap();
        let (before, rest) = page.split_once(MARKS[0]).unwrap();
        let (_, after) = rest.split_once(MARKS[1]).unwrap();
        let row = |(method, path, trace): &(&str, &str, Trace)| {
            format!("| `{method} {path}` | {} |\n", covered(*trace, &known).unwrap_or_default())
        };
        let rows: String = WRITES.iter().map(row).collect();
        let head = "| Route | Action, or the reason for none |\n|---|---|\n";
        let now = format!("{before}{}{head}{rows}{}{after}", MARKS[0], MARKS[1]);
        if std::env::var_os("ASIDE_CODEGEN").is_some() {
            return fs::write(&path, now).unwrap();
        }
        assert!(page == now, "docs/coverage.md is out of date: run `cargo xtask codegen`");
    }
}
