//! Which sessions something was said in.

use std::collections::HashMap;

use aside_core::Timestamp;
use aside_store::sql::{CachedStatement, params};
use serde::Serialize;
use serde_json::Value;

use super::{
    Asking, Evidence,
    args::Arguments,
    is_nothing,
    sessions::{SESSION, SessionMatch, session},
    told,
};
use crate::{HistoryError, Index, Source, again::Logs};

/// Places that are looked at, the latest that were read first. Where there are more, those in the newest sessions are looked at, too, for an
/// old log may have been read last.
const MOST_HITS: usize = 4_000;
/// So many sessions with a place, as an answer has at most.
const MOST_SESSIONS: usize = 20;
/// Sessions in which they are looked for.
const NEWEST: i64 = 500;
/// Characters on each side of what was found.
const AROUND: usize = 100;
/// Shorter words have to be whole.
const SHORTEST_START: usize = 3;

#[derive(Serialize)]
struct Found<'a> {
    query: &'a str,
    count: usize,
    sessions: Vec<SessionMatch>,
    evidence: Vec<Evidence>,
    /// Messages that are not in the index of words yet.
    #[serde(skip_serializing_if = "is_nothing")]
    not_read_yet: usize,
}

/// The newest place in a session.
#[derive(Clone, Copy)]
struct Hit {
    at: i64,
    message: i64,
}

/// The newest place in a session, for a page.
pub struct FoundIn {
    message: i64,
    words: Vec<String>,
}

impl FoundIn {
    /// What stands around the words; none if the log is gone.
    pub fn snippet(&self, index: &Index) -> Result<Option<String>, HistoryError> {
        let text = Logs::default().text(index.connection(), self.message)?;
        Ok(text.map(|text| snippet(&text, &self.words)))
    }
}

/// In which sessions it is looked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Within<'a> {
    /// Of these folders, by their numbers.
    pub folders: Option<&'a [i64]>,
    /// Of this program.
    pub source: Option<Source>,
    /// That went on after then.
    pub since: Option<Timestamp>,
    /// That began before then.
    pub until: Option<Timestamp>,
}

/// The sessions of some in which all words of a query were said, by their numbers.
pub fn found_in(index: &Index, query: &str, within: Within<'_>) -> Result<HashMap<i64, FoundIn>, HistoryError> {
    let words = words(query);
    let hits = if words.is_empty() { HashMap::new() } else { hits(index, &words, i64::MIN, within)? };
    Ok(hits
        .into_iter()
        .map(|(session, hit)| (session, FoundIn { message: hit.message, words: words.clone() }))
        .collect())
}

/// Sessions in which all words of the query were said, each once; the newest first.
pub fn past(index: &Index, asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let query = arguments.required("query")?;
    let words = words(query);
    let since = arguments.since(asking)?.map_or(i64::MIN, |at| at.0);
    let folders = arguments.folders("project", index, asking)?;
    let within = Within { folders: folders.as_deref(), ..Within::default() };
    let hits = if words.is_empty() { HashMap::new() } else { hits(index, &words, since, within)? };
    let mut about = index.connection().prepare_cached(&format!("{SESSION} WHERE session.id = ?"))?;
    let mut newest: Vec<(i64, Hit)> = hits.into_iter().collect();
    newest.sort_by_key(|(session, hit)| std::cmp::Reverse((hit.at, *session)));
    let most = usize::try_from(arguments.limit(5, 20)).unwrap_or(1);
    let (mut sessions, mut evidence, mut logs) = (Vec::new(), Vec::new(), Logs::default());
    for (number, hit) in newest {
        if sessions.len() == most {
            break;
        }
        let found = about.query_map([number], session)?.next().transpose()?;
        let Some(mut found) = found else { continue };
        let text = logs.text(index.connection(), hit.message)?;
        found.snippet = text.map(|text| snippet(&text, &words));
        evidence.push(place(index, &found.session_id, hit.message)?);
        sessions.push(found);
    }
    told(&Found { query, count: sessions.len(), sessions, evidence, not_read_yet: index.texts_left()? })
}

/// The newest place in each session, of what was said since then in these; what a log repeats of another is found there only.
fn hits(index: &Index, words: &[String], since: i64, within: Within<'_>) -> Result<HashMap<i64, Hit>, HistoryError> {
    let most = i64::try_from(MOST_HITS).unwrap_or(i64::MAX);
    let asked = Asked {
        words: expression(words),
        since,
        folders: within.folders.map(|folders| serde_json::to_string(folders).unwrap_or_default()),
        source: within.source.map(Source::word),
        from: within.since.map(|at| at.0),
        to: within.until.map(|at| at.0),
    };
    let sql = format!(
        "{HITS} AND message.session IN (SELECT id FROM session WHERE {FITS}) ORDER BY said.rowid DESC LIMIT ?9"
    );
    let mut find = index.connection().prepare_cached(&sql)?;
    let mut hits: HashMap<i64, Hit> = HashMap::new();
    let all = asked.hits(&mut find, (i64::MIN, i64::MAX), most)?;
    let is_all = all.len() < MOST_HITS;
    take(&mut hits, all);
    if !is_all {
        newest(index, &asked, &mut hits)?;
    }
    Ok(hits)
}

/// The messages in which all words were said since then, the newest first, each with its session.
pub fn latest(index: &Index, words: &[String], since: i64) -> Result<Vec<(i64, i64)>, HistoryError> {
    let asked = Asked { words: expression(words), since, folders: None, source: None, from: None, to: None };
    let sql = format!("{HITS} AND message.session IN (SELECT id FROM session WHERE {FITS}) ORDER BY 2 DESC LIMIT ?9");
    let mut find = index.connection().prepare_cached(&sql)?;
    let most = i64::try_from(MOST_HITS).unwrap_or(i64::MAX);
    let hits = asked.hits(&mut find, (i64::MIN, i64::MAX), most)?;
    Ok(hits.into_iter().map(|(session, hit)| (session, hit.message)).collect())
}

/// Takes the newest place of each session.
fn take(hits: &mut HashMap<i64, Hit>, found: Vec<(i64, Hit)>) {
    for (session, hit) in found {
        let known = hits.entry(session).or_insert(hit);
        if hit.at > known.at {
            *known = hit;
        }
    }
}

/// What is asked for, in the words of the index.
struct Asked {
    words: String,
    since: i64,
    folders: Option<String>,
    source: Option<&'static str>,
    from: Option<i64>,
    to: Option<i64>,
}

const HITS: &str = "SELECT message.session, COALESCE(message.at, 0), message.id FROM said CROSS JOIN message ON message.id = said.rowid
     WHERE said MATCH ?5 AND message.counts = 1 AND COALESCE(message.at, 0) >= ?6 AND said.rowid BETWEEN ?7 AND ?8";
/// Which sessions fit.
const FITS: &str = "(?1 IS NULL OR workspace IN (SELECT value FROM json_each(?1))) AND (?2 IS NULL OR source = ?2)
     AND (?3 IS NULL OR COALESCE(last, 0) >= ?3) AND (?4 IS NULL OR COALESCE(first, 0) < ?4)";

impl Asked {
    /// Places among messages with these numbers.
    fn hits(
        &self,
        find: &mut CachedStatement<'_>,
        (first, last): (i64, i64),
        most: i64,
    ) -> Result<Vec<(i64, Hit)>, HistoryError> {
        let Self { words, since, folders, source, from, to } = self;
        let asked = params![folders, source, from, to, words, since, first, last, most];
        let rows = find.query_map(asked, |row| Ok((row.get(0)?, Hit { at: row.get(1)?, message: row.get(2)? })))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Adds the places in the newest sessions that have any.
fn newest(index: &Index, asked: &Asked, hits: &mut HashMap<i64, Hit>) -> Result<(), HistoryError> {
    let mut sessions = index.connection().prepare_cached(&format!(
        "SELECT id, (SELECT MIN(message.id) FROM session_log JOIN message ON message.file = session_log.file
           WHERE session_log.session = session.id AND message.session = session.id),
         (SELECT MAX(message.id) FROM session_log JOIN message ON message.file = session_log.file
           WHERE session_log.session = session.id AND message.session = session.id)
         FROM session WHERE {FITS} ORDER BY last DESC LIMIT ?5"
    ))?;
    let sql = format!("{HITS} AND message.session IN (SELECT id FROM session WHERE {FITS}) ORDER BY 2 DESC LIMIT ?9");
    let mut find = index.connection().prepare_cached(&sql)?;
    let Asked { folders, source, from, to, .. } = asked;
    let mut rows = sessions.query(params![folders, source, from, to, NEWEST])?;
    let mut found = 0;
    while let Some(row) = rows.next()?.filter(|_| found < MOST_SESSIONS) {
        let (session, range): (i64, Option<(i64, i64)>) = (row.get(0)?, row.get::<_, Option<i64>>(1)?.zip(row.get(2)?));
        let Some(range) = range else { continue };
        // Logs that were read together may stand between the first and the last of it.
        let most = i64::try_from(MOST_HITS).unwrap_or(i64::MAX);
        let own = asked.hits(&mut find, range, most)?.into_iter().filter(|(of, _)| *of == session).take(1);
        let own: Vec<(i64, Hit)> = own.collect();
        found += own.len();
        take(hits, own);
    }
    Ok(())
}

/// All words of a text, as the index has them.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).take(20).collect()
}

/// Every word has to be there; a longer one may go on.
fn expression(words: &[String]) -> String {
    let word = |word: &String| format!("\"{word}\"{}", if word.chars().count() >= SHORTEST_START { "*" } else { "" });
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Where a message stands.
pub fn place(index: &Index, session: &str, message: i64) -> Result<Evidence, HistoryError> {
    let mut find = index.connection().prepare_cached(
        "SELECT path, message.position FROM message JOIN file ON file.id = message.file WHERE message.id = ?",
    )?;
    let session_id = session.to_owned();
    Ok(find.query_row([message], |row| Ok(Evidence { session_id, file: row.get(0)?, offset: row.get(1)? }))?)
}

/// What stands around the words, in one line: around all of them in a row if they are, else around the first.
pub fn snippet(text: &str, words: &[String]) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let chars: Vec<char> = folded.chars().collect();
    // Of the same length as the text, whatever lower case does to single letters.
    let lower: Vec<char> = chars.iter().map(|char| char.to_lowercase().next().unwrap_or(*char)).collect();
    let find = |word: &str| {
        let word: Vec<char> = word.chars().collect();
        lower.windows(word.len().max(1)).position(|window| window == word)
    };
    let at = find(&words.join(" ")).or_else(|| words.iter().find_map(|word| find(word))).unwrap_or(0);
    let length = words.first().map_or(0, |word| word.chars().count());
    let (start, end) = (at.saturating_sub(AROUND), (at + length + AROUND).min(chars.len()));
    let piece: String = chars[start..end].iter().collect();
    let (before, after) = (if start > 0 { "..." } else { "" }, if end < chars.len() { "..." } else { "" });
    format!("{before}{}{after}", piece.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_words_and_no_syntax() {
        assert_eq!(
            expression(&words("Zebra-quartz \"OR\" (x) NEAR/2*")),
            "\"zebra\"* \"quartz\"* \"or\" \"x\" \"near\"* \"2\""
        );
        assert!(words(" -*\" ").is_empty());
    }

    #[test]
    fn a_piece_of_the_text_is_shown_around_what_was_found() {
        let text = format!("{}\n  the Webhook\tof Stripe {}", "a ".repeat(200), "b".repeat(300));
        let shown = snippet(&text, &["webhook".to_owned()]);
        assert!(
            shown.starts_with("...") && shown.ends_with("...") && shown.contains("the Webhook of Stripe"),
            "{shown}"
        );
        assert_eq!(snippet("İstanbul webhooks", &["webhook".to_owned()]), "İstanbul webhooks");
    }
}
