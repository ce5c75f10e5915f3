//! Changes of the tables: a document goes in and out with all that belongs to it.

use aside_store::sql::{OptionalExtension as _, Transaction, params};

use crate::{
    Document, SearchError, TextHash,
    filters::tag_field,
    schema::SEPARATOR,
    text::{fold, terms},
    unlearned::hash_of,
    vectors::ChunkKey,
};

/// Takes a document out, if it is there, and returns the pieces that it had.
pub fn remove(change: &Transaction<'_>, path: &str) -> Result<Vec<i64>, SearchError> {
    let mut find = change.prepare_cached("SELECT id FROM document WHERE path = ?")?;
    let Some(id): Option<i64> = find.query_row([path], |row| row.get(0)).optional()? else { return Ok(Vec::new()) };
    let mut pieces = change.prepare_cached("SELECT id FROM chunk WHERE document = ?")?;
    let pieces = pieces.query_map([id], |row| row.get(0))?.collect::<Result<_, _>>()?;
    change
        .prepare_cached("DELETE FROM word WHERE rowid IN (SELECT id FROM chunk WHERE document = ?)")?
        .execute([id])?;
    change
        .prepare_cached("DELETE FROM spelled WHERE rowid IN (SELECT id FROM chunk WHERE document = ?)")?
        .execute([id])?;
    change.prepare_cached("DELETE FROM chunk WHERE document = ?")?.execute([id])?;
    change.prepare_cached("DELETE FROM document WHERE id = ?")?.execute([id])?;
    Ok(pieces)
}

/// Puts a document in, and returns its pieces that a model can read.
pub fn insert(change: &Transaction<'_>, document: &Document) -> Result<Vec<(ChunkKey, TextHash)>, SearchError> {
    let Document { path, kind, title, tags, day, has_todo, stamp, chunks } = document;
    let names = names(document);
    change
        .prepare_cached(
            "INSERT INTO document (path, kind, title, tags, day, todo, stamp) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![path, kind, title, tag_field(tags), day, has_todo, stamp])?;
    let id = change.last_insert_rowid();
    let mut readable = Vec::new();
    for chunk in chunks {
        let hash = hash_of(title, &chunk.headings, &chunk.text);
        change
            .prepare_cached(
                "INSERT INTO chunk (document, line, end, headings, text, text_line, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![
                id,
                chunk.line,
                chunk.end,
                chunk.headings.join(SEPARATOR),
                chunk.text,
                chunk.text_line,
                hash.map(|hash| hash.0)
            ])?;
        let row = change.last_insert_rowid();
        readable.extend(hash.map(|hash| (ChunkKey { id: row, document: id }, hash)));
        let fields = [&names, &chunk.headings.join(" "), &tags.join(" "), path, &chunk.text].map(|text| in_terms(text));
        let [names, headings, tags, path, text] = &fields;
        change
            .prepare_cached("INSERT INTO word (rowid, title, heading, tag, path, text) VALUES (?, ?, ?, ?, ?, ?)")?
            .execute(params![row, names, headings, tags, path, text])?;
        change
            .prepare_cached("INSERT INTO spelled (rowid, text) VALUES (?, ?)")?
            .execute(params![row, fields.join(" ")])?;
    }
    Ok(readable)
}

/// The words by which people know a document beside its headings: the name of its file without the ending, and its title, unless that is a
/// heading, or says the same.
fn names(Document { path, kind, title, chunks, .. }: &Document) -> String {
    if matches!(kind.as_str(), "thread" | "chat") {
        return title.clone();
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    let is_heading = chunks.iter().any(|chunk| chunk.headings.first() == Some(title));
    match () {
        () if title.is_empty() || title == name || is_heading => stem.to_owned(),
        () if fold(title).contains(&fold(stem)) => title.clone(),
        () => format!("{title} {stem}"),
    }
}

fn in_terms(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for term in terms(text) {
        if !all.is_empty() {
            all.push(' ');
        }
        all.push_str(&term);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_counts_as_a_name() {
        let of = |path: &str, title: &str, kind: &str| {
            names(&Document { path: path.into(), title: title.into(), kind: kind.into(), ..Document::default() })
        };
        let headed = crate::markdown("# How we measure\n\nDaily.\n");
        let headed = Document {
            path: "gauges.md".into(),
            title: "How we measure".into(),
            chunks: headed,
            ..Document::default()
        };
        assert_eq!(names(&headed), "gauges");
        assert_eq!(of("a/gauges.md", "How we measure", "note"), "How we measure gauges");
        assert_eq!(of("a/Gauges.md", "The gauges", "note"), "The gauges");
        assert_eq!(of("a/lab.ipynb", "lab.ipynb", "notebook"), "lab");
        assert_eq!(of(".env", ".env", "text"), ".env");
        assert_eq!(of("thread/thr_1", "Tides", "thread"), "Tides");
    }
}
