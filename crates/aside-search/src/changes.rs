//! Changes of the tables: a document goes in and out with all that belongs to it.

use aside_store::sql::{Connection, OptionalExtension as _, Row, Transaction, params};

use crate::{
    Chunk, Document, SearchError, TextHash,
    filters::{tag_field, tags_of},
    postings::{PieceTerms, Segments},
    schema::SEPARATOR,
    spelling::SpellingChanges,
    text::fold,
    unlearned::hash_of,
    vectors::ChunkKey,
};

/// The pieces of one change of the index.
#[derive(Debug, Default)]
pub struct PieceChanges {
    /// Pieces that are gone.
    pub gone: Vec<i64>,
    /// How many of them a model could read.
    pub gone_readable: usize,
    /// New pieces, in the order of their numbers.
    pub new: Vec<NewPiece>,
    /// Words that came and went.
    pub spelling: SpellingChanges,
}

/// A piece that was put in.
#[derive(Debug)]
pub struct NewPiece {
    /// Its row.
    pub key: ChunkKey,
    /// The key of its vector, if a model can read it.
    pub hash: Option<TextHash>,
    /// Its words.
    pub terms: PieceTerms,
}

/// Takes a document out, if it is there. Its pieces up to `stored_until` are in a stored segment, which has to learn of it.
pub fn remove(
    change: &Transaction<'_>,
    path: &str,
    stored_until: i64,
    changes: &mut PieceChanges,
) -> Result<(), SearchError> {
    let mut find = change.prepare_cached("SELECT id FROM document WHERE path = ?")?;
    let Some(id): Option<i64> = find.query_row([path], |row| row.get(0)).optional()? else { return Ok(()) };
    let (document, pieces) = read(change, id)?;
    for (piece, terms) in pieces.into_iter().zip(piece_terms(&document)) {
        changes.spelling.count(terms.spelled, -1);
        changes.gone.push(piece);
        if piece <= stored_until {
            change.prepare_cached("INSERT INTO gone (piece) VALUES (?)")?.execute([piece])?;
        }
    }
    let readable = "SELECT count(*) FROM chunk WHERE document = ? AND hash IS NOT NULL";
    let readable: i64 = change.prepare_cached(readable)?.query_row([id], |row| row.get(0))?;
    changes.gone_readable += usize::try_from(readable).unwrap_or(0);
    change.prepare_cached("DELETE FROM chunk WHERE document = ?")?.execute([id])?;
    change.prepare_cached("DELETE FROM document WHERE id = ?")?.execute([id])?;
    Ok(())
}

/// Puts a document in.
pub fn insert(change: &Transaction<'_>, document: &Document, changes: &mut PieceChanges) -> Result<(), SearchError> {
    let Document { path, kind, title, tags, day, has_todo, stamp, chunks } = document;
    change
        .prepare_cached(
            "INSERT INTO document (path, kind, title, tags, day, todo, stamp) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![path, kind, title, tag_field(tags), day, has_todo, stamp])?;
    let id = change.last_insert_rowid();
    let mut put = change.prepare_cached(
        "INSERT INTO chunk (document, line, end, headings, text, text_line, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )?;
    for (chunk, mut terms) in chunks.iter().zip(piece_terms(document)) {
        let hash = hash_of(title, &chunk.headings, &chunk.text);
        let Chunk { line, end, headings, text, text_line } = chunk;
        let headings = headings.join(SEPARATOR);
        put.execute(params![id, line, end, headings, text, text_line, hash.map(|hash| hash.0)])?;
        changes.spelling.count(std::mem::take(&mut terms.spelled), 1);
        let key = ChunkKey { id: change.last_insert_rowid(), document: id };
        changes.new.push(NewPiece { key, hash, terms });
    }
    Ok(())
}

/// Puts the pieces into the recent segment that no stored one has.
pub fn put_recent(tables: &Connection, segments: &mut Segments) -> Result<(), SearchError> {
    let mut find = tables.prepare("SELECT document FROM chunk WHERE id > ? GROUP BY document ORDER BY min(id)")?;
    let documents: Vec<i64> = find.query_map([segments.stored_until()], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for id in documents {
        let (document, pieces) = read(tables, id)?;
        for (piece, terms) in pieces.into_iter().zip(piece_terms(&document)) {
            segments.put(piece, id, terms);
        }
    }
    Ok(())
}

/// Reads a document as it was put in, but for its stamp, and the numbers of its pieces.
fn read(tables: &Connection, id: i64) -> Result<(Document, Vec<i64>), SearchError> {
    let mut find = tables.prepare_cached("SELECT path, kind, title, tags FROM document WHERE id = ?")?;
    let mut document = find.query_row([id], |row| {
        let tags = tags_of(&row.get::<_, String>(3)?);
        Ok(Document { path: row.get(0)?, kind: row.get(1)?, title: row.get(2)?, tags, ..Document::default() })
    })?;
    let mut find = tables.prepare_cached("SELECT id, headings, text FROM chunk WHERE document = ? ORDER BY id")?;
    let chunk = |row: &Row<'_>| {
        let headings: String = row.get(1)?;
        let headings = headings.split(SEPARATOR).filter(|heading| !heading.is_empty()).map(str::to_owned).collect();
        Ok((row.get::<_, i64>(0)?, Chunk { headings, text: row.get(2)?, ..Chunk::default() }))
    };
    let (pieces, chunks) = find.query_map([id], chunk)?.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    document.chunks = chunks;
    Ok((document, pieces))
}

/// The words of each piece of a document.
fn piece_terms(document: &Document) -> impl Iterator<Item = PieceTerms> {
    let (names, tags) = (names(document), document.tags.join(" "));
    document
        .chunks
        .iter()
        .map(move |chunk| PieceTerms::of(&[&names, &chunk.headings.join(" "), &tags, &document.path, &chunk.text]))
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
