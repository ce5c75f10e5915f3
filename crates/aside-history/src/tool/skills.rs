//! Habits that come again in the sessions of a folder: what is always run, what people keep correcting.

mod corrections;
mod habits;

use std::{collections::HashSet, fs, path::Path};

use aside_core::{Sha256, Timestamp};
use aside_store::{
    TextFile,
    sql::{Row, params},
};
use serde::Serialize;
use serde_json::Value;

use super::{Asking, Evidence, args::Arguments, cache::kept, folders, told};
use crate::{HistoryError, Index, report::slug};

const DAY: i64 = 86_400_000;
/// What was found is good for so many milliseconds.
const FRESH: i64 = 6 * 3_600_000;
/// Bytes of a skill.
const LONGEST_SKILL: u64 = 1 << 20;
/// Of each kind.
const MOST: usize = 3;
/// How the names of skills begin that are made of habits.
const PREFIX: &str = "auto-";
/// The field of a skill's front matter that says of which.
const ID: &str = "pattern_id";

#[derive(Serialize)]
struct Found<'a> {
    recommendations: Vec<Recommendation>,
    project: Option<&'a str>,
    threshold: u64,
    window_days: u64,
    generated_at: String,
    filtered_already_installed: usize,
    evidence: Vec<Evidence>,
}

#[derive(Serialize)]
struct Recommendation {
    pattern_id: String,
    pattern_kind: &'static str,
    suggested_skill_name: String,
    description: String,
    occurrences: usize,
    sessions: usize,
    last_seen_ts: Option<String>,
    project_slug: Option<String>,
    /// What would write it down: an action to ask for.
    accept_command: String,
    normalized_command: String,
    /// The call in which it was seen last: the file of the log, and where.
    #[serde(skip)]
    place: Option<(i64, i64)>,
}

/// Something that comes again.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// What kind of thing, in the order in which kinds count.
    pub kind: Kind,
    /// The command or path.
    pub what: String,
    /// How often.
    pub occurrences: usize,
    /// In how many sessions.
    pub sessions: usize,
    /// When last.
    pub last: Option<i64>,
    /// The call in which it was seen last: the file of the log, and where.
    pub place: Option<(i64, i64)>,
}

impl Pattern {
    /// Tells whether people said not to run what the other one runs.
    fn is_against(&self, other: &Self) -> bool {
        self.kind == Kind::Avoids
            && other.kind > Kind::NeverTouches
            && other.what.split_whitespace().next() == Some(&self.what)
    }
}

/// Kinds of habits; of one command the first kind counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// People said not to run it.
    Avoids,
    /// People said not to change it.
    NeverTouches,
    /// How tests are run.
    Tests,
    /// What is run after changes.
    AfterEdit,
    /// Options that are given together.
    Options,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Avoids => "avoids-X",
            Self::NeverTouches => "never-touches-paths",
            Self::Tests => "canonical-test-command",
            Self::AfterEdit => "always-runs-X-after-Y",
            Self::Options => "uses-tool-flag-combo",
        }
    }

    fn sentence(self, what: &str) -> String {
        match self {
            Self::Avoids => format!("Do not run `{what}`: users have rejected it."),
            Self::NeverTouches => format!("Do not change `{what}`: users have rejected it."),
            Self::Tests => format!("Run the tests with `{what}`."),
            Self::AfterEdit => format!("After changes, run `{what}`."),
            Self::Options => format!("Run it as `{what}`."),
        }
    }
}

/// A call of a shell or of a change, in the order of its session.
#[derive(Clone, Debug)]
pub struct Did {
    /// Its session.
    pub session: i64,
    /// When.
    pub at: Option<i64>,
    /// The file of the log, and where.
    pub place: (i64, i64),
    /// The line of a shell.
    pub command: Option<String>,
    /// A file that it wrote.
    pub wrote: Option<String>,
}

/// Finds habits in the sessions of a folder.
pub fn recommend(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let project = arguments.text("project").or(asking.workspace.as_deref());
    let threshold = arguments.number("threshold", 5, 50);
    let window_days = arguments.number("window_days", 30, 365);
    // What is kept counts for some hours only: the window moves on.
    let part = asking.now.0.div_euclid(FRESH);
    let question = serde_json::json!(["recommend_skills", project, threshold, window_days, part]).to_string();
    let meant = match project.map(|name| folders::named(index, &folders::asked(name, asking))) {
        // The one that somebody is in may be new.
        Some(Err(_)) if arguments.text("project").is_none() => Some(Vec::new()),
        meant => meant.transpose()?,
    };
    let of = project.zip(meant.as_deref());
    let (mut answer, hit) = kept(index, &question, || found(index, asking, of, (threshold, window_days)))?;
    answer["cache_status"] = if hit { "hit" } else { "miss" }.into();
    Ok(answer)
}

fn found(
    index: &Index,
    asking: &Asking,
    of: Option<(&str, &[(i64, String)])>,
    (threshold, window_days): (u64, u64),
) -> Result<Value, HistoryError> {
    let project = of.map(|(name, _)| name);
    let folders = of.map_or(&[][..], |(_, folders)| folders);
    let since = asking.now.0 - i64::try_from(window_days).unwrap_or(30) * DAY;
    let numbers: Vec<i64> = folders.iter().map(|(number, _)| *number).collect();
    let did = did(index, project.map(|_| &numbers[..]), since)?;
    let mut patterns = habits::habits(&did);
    patterns.extend(corrections::corrections(index, &did)?);
    let least = usize::try_from(threshold).unwrap_or(1);
    patterns.retain(|pattern| pattern.sessions >= least);
    let project_slug = || project.map(slug);
    let all = chosen(patterns).into_iter().map(|pattern| described(pattern, project_slug()));
    let known = installed(folders.iter().map(|(_, path)| path));
    let (installed, recommendations): (Vec<_>, Vec<_>) = all.partition(|one| known.contains(&one.pattern_id));
    let evidence = recommendations.iter().filter_map(|one| Some(place(index, one.place?)));
    let evidence = evidence.collect::<Result<Vec<_>, _>>()?;
    told(&Found {
        evidence,
        recommendations,
        project,
        threshold,
        window_days,
        generated_at: asking.now.to_string(),
        filtered_already_installed: installed.len(),
    })
}

/// Where a call stands, by the number of its log.
fn place(index: &Index, (file, offset): (i64, i64)) -> Result<Evidence, HistoryError> {
    let mut find = index.connection().prepare_cached(
        "SELECT session.name, file.path FROM call JOIN session ON session.id = call.session JOIN file ON file.id = call.file
         WHERE call.file = ? AND call.position = ? LIMIT 1",
    )?;
    Ok(find.query_row([file, offset], |row| Ok(Evidence { session_id: row.get(0)?, file: row.get(1)?, offset }))?)
}

/// The habits that skills of some folders were made of, by their ids.
fn installed<'f>(folders: impl Iterator<Item = &'f String>) -> HashSet<String> {
    let skills = folders.filter_map(|folder| fs::read_dir(Path::new(folder).join(".claude/skills")).ok());
    let made_here = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(PREFIX);
    let found = skills.flatten().flatten().filter(made_here);
    found
        .filter_map(|entry| id_of(&TextFile::new(entry.path().join("SKILL.md"), LONGEST_SKILL).read().ok()??))
        .collect()
}

/// What the front matter of a skill says it was made of.
fn id_of(skill: &str) -> Option<String> {
    let (front, _) = skill.strip_prefix("---")?.split_once("\n---")?;
    front.lines().find_map(|line| Some(line.strip_prefix(ID)?.strip_prefix(':')?.trim().to_owned()))
}

/// The best of each kind; of a command that is of several kinds the first.
fn chosen(mut patterns: Vec<Pattern>) -> Vec<Pattern> {
    patterns.sort_by(|one, two| {
        (one.kind, std::cmp::Reverse(one.sessions), &one.what).cmp(&(
            two.kind,
            std::cmp::Reverse(two.sessions),
            &two.what,
        ))
    });
    let mut chosen: Vec<Pattern> = Vec::new();
    for pattern in patterns {
        let of_kind = chosen.iter().filter(|one| one.kind == pattern.kind).count();
        let is_known = |one: &Pattern| one.what == pattern.what || one.is_against(&pattern);
        if of_kind < MOST && !chosen.iter().any(is_known) {
            chosen.push(pattern);
        }
    }
    chosen
}

fn described(pattern: Pattern, project_slug: Option<String>) -> Recommendation {
    let Pattern { kind, what, occurrences, sessions, last, place } = pattern;
    let id = Sha256::of(format!("{}::{what}", kind.word())).as_str()[..16].to_owned();
    let name: String =
        what.chars().map(|char| if char.is_ascii_alphanumeric() { char.to_ascii_lowercase() } else { '-' }).collect();
    let sentence = kind.sentence(&what);
    let words = name.split('-').filter(|part| !part.is_empty()).take(4).collect::<Vec<_>>().join("-");
    // Others may begin with the same words: a part of the id tells them apart.
    let name = format!("{PREFIX}{words}-{}", &id[..6]);
    let about = Value::from(sentence.as_str());
    let text = format!("---\nname: {name}\ndescription: {about}\n{ID}: {id}\n---\n\n{sentence}\n");
    let written = serde_json::json!({ "path": format!(".claude/skills/{name}/SKILL.md"), "text": text });
    Recommendation {
        accept_command: format!("aside do doc.create --args '{}'", written.to_string().replace('\'', "'\\''")),
        pattern_id: id,
        pattern_kind: kind.word(),
        suggested_skill_name: name,
        description: sentence,
        occurrences,
        sessions,
        last_seen_ts: last.map(|at| Timestamp(at).to_string()),
        project_slug,
        normalized_command: what,
        place,
    }
}

/// What was run and written in the window, session by session in order.
fn did(index: &Index, folders: Option<&[i64]>, since: i64) -> Result<Vec<Did>, HistoryError> {
    let wanted = serde_json::to_string(&folders.unwrap_or_default()).unwrap_or_default();
    // Joined: a query of its own for each call takes longer than all else.
    let mut find = index.connection().prepare_cached(
        "SELECT call.session, call.at, call.file, call.position, call.command, path.path, call.id
         FROM session CROSS JOIN session_log ON session_log.session = session.id
         CROSS JOIN call ON call.file = session_log.file AND call.session = session.id
         LEFT JOIN touch ON touch.call = call.id AND mode > 0 LEFT JOIN path ON path.id = touch.path
         WHERE session.last >= ?1 AND call.at >= ?1 AND call.side = 0 AND call.counts = 1
         AND (call.command IS NOT NULL OR touch.call IS NOT NULL)
         AND (?2 OR session.workspace IN (SELECT value FROM json_each(?3)))",
    )?;
    let rows =
        find.query_map(params![since, folders.is_none(), wanted], |row| Ok((row.get::<_, i64>(6)?, read(row)?)))?;
    let mut all = rows.collect::<Result<Vec<_>, _>>()?;
    // Of several files that a call wrote one is enough.
    all.dedup_by_key(|(call, _)| *call);
    let mut all: Vec<Did> = all.into_iter().map(|(_, did)| did).collect();
    all.sort_by_key(|did| (did.session, did.place));
    Ok(all)
}

fn read(row: &Row<'_>) -> Result<Did, aside_store::sql::Error> {
    let place = (row.get(2)?, row.get(3)?);
    Ok(Did { session: row.get(0)?, at: row.get(1)?, place, command: row.get(4)?, wrote: row.get(5)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(kind: Kind, what: &str) -> Pattern {
        Pattern { kind, what: what.to_owned(), occurrences: 5, sessions: 5, last: None, place: None }
    }

    #[test]
    fn what_people_said_not_to_run_is_not_recommended() {
        let all = [
            (Kind::Tests, "pytest -q"),
            (Kind::Avoids, "pytest"),
            (Kind::AfterEdit, "pytest-watch"),
            (Kind::NeverTouches, "pytest"),
            (Kind::Options, "cargo test --lib"),
        ];
        let left = chosen(all.map(|(kind, what)| pattern(kind, what)).into());
        let left: Vec<(Kind, &str)> = left.iter().map(|one| (one.kind, one.what.as_str())).collect();
        assert_eq!(
            left,
            [(Kind::Avoids, "pytest"), (Kind::AfterEdit, "pytest-watch"), (Kind::Options, "cargo test --lib")]
        );
    }

    #[test]
    fn a_skill_is_known_by_the_habit_it_was_made_of() {
        let habit = |what: &str| described(pattern(Kind::Options, what), None);
        let (one, two) = (habit("cargo test -p a --lib x"), habit("cargo test -p a --lib y"));
        assert_ne!(one.suggested_skill_name, two.suggested_skill_name);
        let (_, told) = one.accept_command.split_once("--args '").unwrap();
        let told: Value = serde_json::from_str(told.trim_end_matches('\'')).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(told["path"].as_str().unwrap());
        let folders = ["/nowhere".to_owned(), folder.path().display().to_string()];
        assert!(installed(folders.iter()).is_empty());
        #[expect(clippy::disallowed_methods, reason = "does what is recommended")]
        {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, told["text"].as_str().unwrap()).unwrap();
        }
        let known = installed(folders.iter());
        assert_eq!(known, [one.pattern_id].into());
        assert_eq!(id_of("# no front matter"), None);
    }
}
