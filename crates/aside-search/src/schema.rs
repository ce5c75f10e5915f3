//! Tables of the index. `segment` and `posting` find words by their stems, see [`crate::postings`]; `gone` has the pieces of stored segments that are
//! no more; `spelling` has words as they are written, for mistyped ones; `vector` has the meaning of texts by their hashes, so that a text that was
//! there before needs no model.

/// One step a format. Never change one that was released: add the next.
pub const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE document (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, title TEXT NOT NULL,
        tags TEXT NOT NULL, day INTEGER NOT NULL, todo INTEGER NOT NULL, stamp TEXT NOT NULL);
    CREATE TABLE chunk (id INTEGER PRIMARY KEY, document INTEGER NOT NULL, line INTEGER NOT NULL, end INTEGER NOT NULL,
        headings TEXT NOT NULL, text TEXT NOT NULL, text_line INTEGER NOT NULL, hash INTEGER);
    CREATE INDEX chunk_by_document ON chunk (document);
    CREATE INDEX chunk_by_hash ON chunk (hash) WHERE hash IS NOT NULL;
    CREATE VIRTUAL TABLE word USING fts5 (title, heading, tag, path, text, content = '', contentless_delete = 1,
        tokenize = \"porter unicode61 remove_diacritics 0 categories 'L* M* N* C* S*' tokenchars '_'\");
    CREATE VIRTUAL TABLE spelled USING fts5 (text, content = '', contentless_delete = 1, detail = none,
        tokenize = \"unicode61 remove_diacritics 0 categories 'L* M* N* C* S*' tokenchars '_'\");
    CREATE VIRTUAL TABLE vocabulary USING fts5vocab (spelled, 'row');
    CREATE TABLE model (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE vector (model INTEGER NOT NULL, hash INTEGER NOT NULL, scale REAL NOT NULL, numbers BLOB NOT NULL,
        PRIMARY KEY (model, hash)) WITHOUT ROWID;
",
    "
    DROP TABLE vocabulary; DROP TABLE spelled; DROP TABLE word; DROP TABLE chunk; DROP TABLE document;
    CREATE TABLE document (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
        title TEXT NOT NULL, tags TEXT NOT NULL, day INTEGER NOT NULL, todo INTEGER NOT NULL, stamp TEXT NOT NULL);
    CREATE TABLE chunk (id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, line INTEGER NOT NULL,
        end INTEGER NOT NULL, headings TEXT NOT NULL, text TEXT NOT NULL, text_line INTEGER NOT NULL, hash INTEGER);
    CREATE INDEX chunk_by_document ON chunk (document);
    CREATE INDEX chunk_by_hash ON chunk (hash) WHERE hash IS NOT NULL;
    CREATE TABLE segment (id INTEGER PRIMARY KEY AUTOINCREMENT, pieces BLOB NOT NULL);
    CREATE TABLE posting (segment INTEGER NOT NULL, stem TEXT NOT NULL, count INTEGER NOT NULL, pieces BLOB NOT NULL,
        places BLOB NOT NULL, PRIMARY KEY (segment, stem)) WITHOUT ROWID;
    CREATE TABLE gone (piece INTEGER PRIMARY KEY);
    CREATE TABLE spelling (word TEXT PRIMARY KEY, pieces INTEGER NOT NULL) WITHOUT ROWID;
",
];

/// Stands between headings, and around tags.
pub const SEPARATOR: &str = "\n";

#[cfg(test)]
mod tests {
    use aside_store::open_tables;

    use super::MIGRATIONS;
    use crate::Index;

    #[test]
    fn older_index_keeps_vectors_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("search.db");
        let old = open_tables(&path, &MIGRATIONS[..1]).unwrap();
        old.execute_batch(
            "INSERT INTO document VALUES (1, 'a.md', 'note', 'a', '', 0, 0, 'stamp');
             INSERT INTO vector VALUES (1, 7, 0.5, x'01');",
        )
        .unwrap();
        drop(old);
        let index = Index::open(&path).unwrap();
        assert!(index.stamps().unwrap().is_empty(), "its files are read again");
        let vectors: i64 = index.tables.query_row("SELECT count(*) FROM vector", (), |row| row.get(0)).unwrap();
        assert_eq!(vectors, 1);
    }
}
