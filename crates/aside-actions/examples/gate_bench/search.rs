//! A search in a catalog of many actions, beside looking through all of their texts.

use std::sync::Arc;

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Catalog, Declaration, Handler, Query, Run, handler};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{figure, median, milliseconds, timed};

const DESCRIPTORS: usize = 1000;
const RUNS: usize = 1001;
const QUERIES: &[&str] =
    &["rename a note", "delete", "please move all files of the project to another folder", "chart.publish", "pla"];

const NOUNS: [&str; 25] = [
    "note", "file", "cell", "kernel", "doc", "chart", "table", "mail", "branch", "commit", "issue", "page", "query",
    "server", "window", "plan", "recipe", "image", "citation", "section", "todo", "model", "folder", "test", "project",
];
const VERBS: [&str; 40] = [
    "create", "delete", "move", "copy", "rename", "open", "close", "list", "read", "edit", "run", "stop", "search",
    "publish", "export", "import", "merge", "split", "sort", "filter", "count", "share", "lock", "unlock", "archive",
    "restore", "tag", "link", "compare", "format", "check", "build", "serve", "watch", "sync", "print", "plot", "sum",
    "join", "fill",
];

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {}

/// An action that does nothing; only its words are wanted.
struct Words {
    name: &'static str,
    summary: &'static str,
    phrases: &'static [&'static str],
}

impl Action for Words {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: self.name,
            summary: self.summary,
            description: "It works on what is chosen, says what it would change before, and can be taken back later.",
            preconditions: &[],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("an example", json!({}))],
            phrases: self.phrases,
            tags: &["bench", "words"],
            safety: &[],
        }
    }

    async fn assess(&self, _: &ActionContext, _: &Args) -> Result<Assessment, Failure> {
        Ok(Assessment::default())
    }

    async fn preview(&self, _: &ActionContext, _: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary("Nothing"))
    }

    async fn run(&self, _: &ActionContext, _: &Args) -> Result<Run, Failure> {
        Ok(Run::observed(Observation::text("nothing")))
    }
}

fn words(noun: &str, verb: &str) -> Arc<dyn Handler> {
    // Declarations are static, and this program ends soon.
    let kept = |text: String| -> &'static str { text.leak() };
    let summary = kept(format!("{verb} a {noun} of the workspace, or several of them"));
    let phrases: &[&str] = vec![kept(format!("{verb} this {noun}")), kept(format!("{verb} every {noun}"))].leak();
    handler(Words { name: kept(format!("{noun}.{verb}")), summary, phrases })
}

pub(crate) fn measure() {
    let all = NOUNS.iter().flat_map(|noun| VERBS.iter().map(move |verb| words(noun, verb)));
    let catalog = Catalog::new(all).expect("they are declared well");
    let descriptors = catalog.descriptors();
    assert_eq!(descriptors.len(), DESCRIPTORS);
    let texts: Vec<_> = descriptors
        .iter()
        .map(|descriptor| {
            let (phrases, tags) = (descriptor.phrases.join(" "), descriptor.tags.join(" "));
            format!("{} {} {} {phrases} {tags}", descriptor.name, descriptor.summary, descriptor.description)
        })
        .collect();
    let (mut worst, mut beside) = (0.0, 0.0);
    for query in QUERIES {
        let (mut ours, mut scan) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            let (time, found) = timed(|| catalog.search(&Query::words(query, 10)));
            assert!(!found.is_empty(), "{query}");
            ours.push(milliseconds(time));
            let (time, _) = timed(|| looked_through(&texts, query));
            scan.push(milliseconds(time));
        }
        let ours = median(ours);
        if ours > worst {
            (worst, beside) = (ours, median(scan));
        }
    }
    let name = format!("search over {DESCRIPTORS} descriptors, slowest of {} queries (ms)", QUERIES.len());
    figure(&name, worst, "<=1", Some((beside, "looking through all texts")));
}

/// How many texts have how many of the words: what a search without an index would at least do.
fn looked_through(texts: &[String], query: &str) -> usize {
    let of = |text: &String| query.split(' ').filter(|word| text.contains(word)).count();
    texts.iter().map(of).sum()
}
