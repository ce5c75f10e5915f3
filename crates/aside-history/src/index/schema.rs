//! The tables of the index.
//!
//! ```text
//! file ──< response >── session      one row for each answer of a model and file that tells of it; `spent` has the sums of a session
//!      ──< call ──< touch >── path   `counts` marks the one of them that counts
//!      ──< message ── said           (where it stands; `said` finds it by its words and holds no copy of them)
//!      ──< problem                      (`session_log`: which logs tell what of a session; `unreadable`: what could not be opened)
//!
//! pull_request ──< review      what hosts of repositories told; `delivery` has their messages that came, `taken_back` what was
//! ci_run   pushed ──< pushed_file                               reverted, `clone` which folder is of which repository
//! ```
//!
//! The name of a repository is the same in any case, as it is for its host: `octo/shop` is `Octo/Shop`.
//!
//! What a log repeats of another (`uid` is the same) counts once, too: `index/copies.rs`. `numbered` finds messages, calls and responses by their `uid`; it
//! is no index of each, since it is written in its own order, many rows at once; as is `timed`, which finds responses by their time. In `response`, `message` and `request` are texts of older versions that
//! have no number yet: `index/renumber.rs`. `priced_by` says by which lists of prices, `looked` when all logs
//! were looked through.
//!
//! `skipped` has kinds of files that look like logs and are not read, `uncounted` kinds of records with tokens that no reader knows.
//!
//! Messages up to `texted.message` are in `said`; the others wait until somebody has time to read them again.

/// One step a format. Never change one that was released: add the next. A file without a reader's memory is read again from its start.
pub const MIGRATIONS: &[&str] = &["
    CREATE TABLE file (id INTEGER PRIMARY KEY, source TEXT NOT NULL, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL,
        modified INTEGER NOT NULL, inode INTEGER NOT NULL, position INTEGER NOT NULL, head BLOB NOT NULL, tail BLOB NOT NULL,
        reader TEXT NOT NULL, gone INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE problem (file INTEGER NOT NULL, position INTEGER NOT NULL, reason TEXT NOT NULL);
    CREATE INDEX problem_by_file ON problem (file);
    CREATE TABLE workspace (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
    CREATE TABLE model (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE path (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
    CREATE TABLE session (id INTEGER PRIMARY KEY, source TEXT NOT NULL, name TEXT NOT NULL, workspace INTEGER, branch TEXT,
        title TEXT, first INTEGER, last INTEGER, UNIQUE (source, name));
    CREATE INDEX session_by_last ON session (last);
    CREATE TABLE response (id INTEGER PRIMARY KEY, file INTEGER NOT NULL, session INTEGER NOT NULL, at INTEGER, model INTEGER,
        workspace INTEGER, input INTEGER NOT NULL, output INTEGER NOT NULL, cache_read INTEGER NOT NULL,
        cache_write INTEGER NOT NULL, cache_write_hour INTEGER NOT NULL, recorded INTEGER, priced INTEGER,
        estimated INTEGER NOT NULL, message TEXT, request TEXT, side INTEGER NOT NULL, fast INTEGER NOT NULL,
        counts INTEGER NOT NULL, position INTEGER NOT NULL, length INTEGER NOT NULL);
    CREATE INDEX response_by_message ON response (message) WHERE message IS NOT NULL;
    CREATE INDEX response_by_time ON response (at) WHERE counts = 1;
    CREATE INDEX response_by_session ON response (session);
    CREATE INDEX response_by_file ON response (file);
    CREATE TABLE call (id INTEGER PRIMARY KEY, file INTEGER NOT NULL, session INTEGER NOT NULL, at INTEGER, name TEXT NOT NULL,
        command TEXT, ok INTEGER, open TEXT, side INTEGER NOT NULL, position INTEGER NOT NULL, length INTEGER NOT NULL);
    CREATE INDEX call_by_file ON call (file);
    CREATE INDEX call_open ON call (open) WHERE open IS NOT NULL;
    CREATE TABLE touch (call INTEGER NOT NULL, session INTEGER NOT NULL, path INTEGER NOT NULL, mode INTEGER NOT NULL,
        PRIMARY KEY (path, session, mode, call)) WITHOUT ROWID;
    CREATE INDEX touch_by_call ON touch (call);
    CREATE TABLE message (id INTEGER PRIMARY KEY, file INTEGER NOT NULL, session INTEGER NOT NULL, at INTEGER,
        role INTEGER NOT NULL, side INTEGER NOT NULL, position INTEGER NOT NULL, length INTEGER NOT NULL);
    CREATE INDEX message_by_file ON message (file);
", "
    ALTER TABLE session ADD COLUMN messages INTEGER NOT NULL DEFAULT 0;
    UPDATE session SET messages = (SELECT COUNT(*) FROM message WHERE message.session = session.id);
    CREATE VIRTUAL TABLE said USING fts5 (text, content = '', contentless_delete = 1, detail = none,
        tokenize = \"unicode61 remove_diacritics 2\");
    INSERT INTO said (said, rank) VALUES ('hashsize', 16777216);
    CREATE TABLE texted (one INTEGER PRIMARY KEY CHECK (one = 1), message INTEGER NOT NULL);
    INSERT INTO texted VALUES (1, 0);
    CREATE TABLE pull_request (provider TEXT NOT NULL, repo TEXT NOT NULL, number INTEGER NOT NULL, title TEXT NOT NULL, state TEXT NOT NULL,
        merged INTEGER, reverted INTEGER, created INTEGER, updated INTEGER, author TEXT, head TEXT, merge_commit TEXT,
        PRIMARY KEY (provider, repo, number)) WITHOUT ROWID;
    CREATE TABLE ci_run (provider TEXT NOT NULL, repo TEXT NOT NULL, run TEXT NOT NULL, commit_sha TEXT, status TEXT NOT NULL,
        workflow TEXT, started INTEGER, completed INTEGER, updated INTEGER, PRIMARY KEY (provider, run)) WITHOUT ROWID;
    CREATE INDEX ci_run_by_commit ON ci_run (commit_sha);
", "
    ALTER TABLE ci_run ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE review (provider TEXT NOT NULL, repo TEXT NOT NULL, review TEXT NOT NULL, number INTEGER NOT NULL, author TEXT,
        state TEXT NOT NULL, at INTEGER, PRIMARY KEY (provider, repo, review)) WITHOUT ROWID;
    CREATE TABLE pushed (id INTEGER PRIMARY KEY, provider TEXT NOT NULL, repo TEXT NOT NULL, sha TEXT NOT NULL, title TEXT NOT NULL,
        branch TEXT, at INTEGER, reverted INTEGER, UNIQUE (provider, repo, sha));
    CREATE TABLE pushed_file (name TEXT NOT NULL, path TEXT NOT NULL, pushed INTEGER NOT NULL,
        PRIMARY KEY (name, path, pushed)) WITHOUT ROWID;
    CREATE INDEX pushed_file_by_pushed ON pushed_file (pushed);
    CREATE TABLE taken_back (provider TEXT NOT NULL, repo TEXT NOT NULL, what TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (provider, repo, what)) WITHOUT ROWID;
    CREATE TABLE delivery (provider TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (provider, id)) WITHOUT ROWID;
    CREATE INDEX delivery_by_body ON delivery (provider, body);
    CREATE TABLE pulled (address TEXT PRIMARY KEY, mark TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE clone (path TEXT PRIMARY KEY, repo TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE session_log (session INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (session, file)) WITHOUT ROWID;
    CREATE INDEX session_log_by_file ON session_log (file);
    INSERT INTO session_log SELECT session, file FROM response UNION SELECT session, file FROM message UNION SELECT session, file FROM call;
", "
    ALTER TABLE message ADD COLUMN uid INTEGER;
    ALTER TABLE message ADD COLUMN counts INTEGER NOT NULL DEFAULT 1;
    CREATE INDEX message_by_uid ON message (uid) WHERE uid IS NOT NULL;
    ALTER TABLE call ADD COLUMN uid INTEGER;
    ALTER TABLE call ADD COLUMN edited INTEGER;
    ALTER TABLE call ADD COLUMN counts INTEGER NOT NULL DEFAULT 1;
    CREATE INDEX call_by_edited ON call (edited) WHERE edited IS NOT NULL;
    CREATE INDEX call_by_uid ON call (uid) WHERE uid IS NOT NULL;
    ALTER TABLE response ADD COLUMN provider TEXT;
    ALTER TABLE response ADD COLUMN assumed INTEGER NOT NULL DEFAULT 0;
    UPDATE response SET assumed = 1 WHERE estimated = 1 AND fast = 0;
    CREATE TABLE unreadable (path TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE priced_by (one INTEGER PRIMARY KEY CHECK (one = 1), lists TEXT NOT NULL);
    UPDATE file SET reader = '';
", "
    ALTER TABLE pull_request ADD COLUMN page TEXT;
    ALTER TABLE pull_request ADD COLUMN told_by TEXT;
    ALTER TABLE ci_run ADD COLUMN page TEXT;
    ALTER TABLE ci_run ADD COLUMN told_by TEXT;
", "
    ALTER TABLE pull_request RENAME TO pull_request_before;
    CREATE TABLE pull_request (provider TEXT NOT NULL, repo TEXT NOT NULL COLLATE NOCASE, number INTEGER NOT NULL, title TEXT NOT NULL,
        state TEXT NOT NULL, merged INTEGER, reverted INTEGER, created INTEGER, updated INTEGER, author TEXT, head TEXT, merge_commit TEXT,
        page TEXT, told_by TEXT, PRIMARY KEY (provider, repo, number)) WITHOUT ROWID;
    INSERT OR REPLACE INTO pull_request SELECT provider, repo, number, title, state, merged, reverted, created, updated, author, head,
        merge_commit, page, told_by FROM pull_request_before ORDER BY reverted IS NOT NULL, COALESCE(updated, 0);
    DROP TABLE pull_request_before;
    ALTER TABLE ci_run RENAME TO ci_run_before;
    CREATE TABLE ci_run (provider TEXT NOT NULL, repo TEXT NOT NULL COLLATE NOCASE, run TEXT NOT NULL, commit_sha TEXT, status TEXT NOT NULL,
        workflow TEXT, started INTEGER, completed INTEGER, updated INTEGER, attempt INTEGER NOT NULL DEFAULT 0, page TEXT, told_by TEXT,
        PRIMARY KEY (provider, repo, run)) WITHOUT ROWID;
    INSERT INTO ci_run SELECT provider, repo, run, commit_sha, status, workflow, started, completed, updated, attempt, page, told_by
        FROM ci_run_before;
    DROP TABLE ci_run_before;
    CREATE INDEX ci_run_by_commit ON ci_run (commit_sha);
    ALTER TABLE review RENAME TO review_before;
    CREATE TABLE review (provider TEXT NOT NULL, repo TEXT NOT NULL COLLATE NOCASE, review TEXT NOT NULL, number INTEGER NOT NULL, author TEXT,
        state TEXT NOT NULL, at INTEGER, PRIMARY KEY (provider, repo, review)) WITHOUT ROWID;
    INSERT OR REPLACE INTO review SELECT provider, repo, review, number, author, state, at FROM review_before ORDER BY state = 'dismissed', at;
    DROP TABLE review_before;
    ALTER TABLE pushed RENAME TO pushed_before;
    CREATE TABLE pushed (id INTEGER PRIMARY KEY, provider TEXT NOT NULL, repo TEXT NOT NULL COLLATE NOCASE, sha TEXT NOT NULL, title TEXT NOT NULL,
        branch TEXT, at INTEGER, reverted INTEGER, UNIQUE (provider, repo, sha));
    INSERT OR IGNORE INTO pushed SELECT id, provider, repo, sha, title, branch, at, reverted FROM pushed_before
        ORDER BY reverted IS NULL, branch IS NULL;
    UPDATE OR IGNORE pushed_file SET pushed = (SELECT pushed.id FROM pushed JOIN pushed_before one USING (provider, repo, sha)
        WHERE one.id = pushed_file.pushed) WHERE pushed NOT IN (SELECT id FROM pushed);
    DELETE FROM pushed_file WHERE pushed NOT IN (SELECT id FROM pushed);
    DROP TABLE pushed_before;
    ALTER TABLE taken_back RENAME TO taken_back_before;
    CREATE TABLE taken_back (provider TEXT NOT NULL, repo TEXT NOT NULL COLLATE NOCASE, what TEXT NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (provider, repo, what)) WITHOUT ROWID;
    INSERT OR IGNORE INTO taken_back SELECT provider, repo, what, at FROM taken_back_before ORDER BY at;
    DROP TABLE taken_back_before;
    ALTER TABLE pull_request ADD COLUMN branch TEXT;
    CREATE TABLE looked (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL);
", "
    UPDATE file SET reader = '';
", "
    UPDATE file SET reader = '' WHERE source = 'codex';
", "
    ALTER TABLE session_log ADD COLUMN workspace INTEGER;
    ALTER TABLE session_log ADD COLUMN branch TEXT;
    ALTER TABLE session_log ADD COLUMN title TEXT;
    ALTER TABLE session_log ADD COLUMN first INTEGER;
    ALTER TABLE session_log ADD COLUMN last INTEGER;
    ALTER TABLE session_log ADD COLUMN main INTEGER NOT NULL DEFAULT 0;
    UPDATE session_log SET (workspace, branch, title, first, last) =
        (SELECT workspace, branch, title, first, last FROM session WHERE session.id = session_log.session);
    ALTER TABLE response DROP COLUMN length;
    UPDATE file SET reader = '';
", "
    UPDATE file SET reader = '' WHERE source = 'opencode';
", "
    ALTER TABLE file ADD COLUMN sums BLOB;
", "
    UPDATE file SET reader = '' WHERE source IN ('goose', 'cursor');
", "
    CREATE TABLE spent (session INTEGER NOT NULL, workspace INTEGER NOT NULL, model INTEGER NOT NULL, responses INTEGER NOT NULL,
        picodollars INTEGER NOT NULL, estimated INTEGER NOT NULL, unpriced INTEGER NOT NULL, dearest INTEGER NOT NULL,
        PRIMARY KEY (session, workspace, model)) WITHOUT ROWID;
    CREATE INDEX spent_by_workspace ON spent (workspace, dearest);
    INSERT INTO spent SELECT session, COALESCE(workspace, 0), COALESCE(model, 0), COUNT(*),
        CAST(MIN(TOTAL(COALESCE(recorded, priced)), 9e18) AS INTEGER),
        CAST(MIN(TOTAL(IIF(recorded IS NULL AND estimated = 1, priced, 0)), 9e18) AS INTEGER),
        SUM(COALESCE(recorded, priced) IS NULL), MAX(COALESCE(recorded, priced, 0))
        FROM response WHERE counts = 1 GROUP BY 1, 2, 3;
    CREATE VIRTUAL TABLE said_word USING fts5vocab (said, instance);
    DROP INDEX response_by_file;
    DROP INDEX message_by_file;
    CREATE INDEX message_by_file ON message (file, session);
", "
    CREATE TABLE numbered (uid INTEGER NOT NULL, kind INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (uid, kind, id)) WITHOUT ROWID;
    INSERT INTO numbered SELECT uid, 0, id FROM message WHERE uid IS NOT NULL UNION ALL SELECT uid, 1, id FROM call WHERE uid IS NOT NULL
        ORDER BY 1, 2, 3;
    DROP INDEX message_by_uid;
    DROP INDEX call_by_uid;
    ALTER TABLE response ADD COLUMN uid INTEGER;
    ALTER TABLE response ADD COLUMN request_uid INTEGER;
    CREATE TABLE timed (at INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (at, id)) WITHOUT ROWID;
    INSERT INTO timed SELECT at, id FROM response WHERE at IS NOT NULL ORDER BY 1, 2;
    DROP INDEX response_by_time;
", "
    ALTER TABLE response ADD COLUMN longest INTEGER;
    ALTER TABLE response ADD COLUMN searches INTEGER NOT NULL DEFAULT 0;
    UPDATE file SET reader = '' WHERE source IN ('claude', 'codex', 'gemini', 'opencode', 'kilo', 'copilot');
", "
    CREATE TABLE skipped (program TEXT NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL, example TEXT NOT NULL, hint TEXT NOT NULL,
        PRIMARY KEY (program, kind)) WITHOUT ROWID;
    CREATE TABLE uncounted (file INTEGER NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL, position INTEGER NOT NULL,
        PRIMARY KEY (file, kind)) WITHOUT ROWID;
    UPDATE file SET reader = '';
    UPDATE texted SET message = 0;
"];

#[cfg(test)]
mod tests {
    use aside_store::{DataFolder, open_tables};

    use super::MIGRATIONS;
    use crate::Index;

    #[test]
    fn what_was_told_of_a_repository_in_two_spellings_is_of_one() {
        let folder = tempfile::tempdir().unwrap();
        let before = open_tables(&folder.path().join("history.db"), &MIGRATIONS[..5]).unwrap();
        before
            .execute_batch(
                "INSERT INTO pushed (id, provider, repo, sha, title, branch) VALUES (1, 'github', 'octo/shop', 'c', 'Cart', NULL),
                   (2, 'github', 'Octo/Shop', 'c', 'Cart', 'main'), (3, 'github', 'octo/shop', 'd', 'Till', NULL);
                 INSERT INTO pushed_file VALUES ('cart.rs', 'src/cart.rs', 1), ('cart.rs', 'src/cart.rs', 2), ('till.rs', 'till.rs', 1),
                   ('till.rs', 'till.rs', 3);
                 INSERT INTO pull_request (provider, repo, number, title, state, updated) VALUES ('github', 'octo/shop', 1, 'Old', 'open', 1),
                   ('github', 'Octo/Shop', 1, 'New', 'merged', 2);
                 INSERT INTO ci_run (provider, repo, run, status) VALUES ('github', 'octo/shop', '42', 'failure');",
            )
            .unwrap();
        drop(before);
        let index = Index::open(&DataFolder::at(folder.path())).unwrap();
        let told = |sql: &str| {
            let mut find = index.connection().prepare(sql).unwrap();
            let rows = find.query_map((), |row| row.get::<_, String>(0)).unwrap();
            rows.collect::<Result<Vec<_>, _>>().unwrap()
        };
        let files = "SELECT sha || ' ' || path FROM pushed_file JOIN pushed ON pushed.id = pushed ORDER BY 1";
        assert_eq!(told(files), ["c src/cart.rs", "c till.rs", "d till.rs"]);
        assert_eq!(told("SELECT branch FROM pushed WHERE repo = 'OCTO/SHOP' AND sha = 'c'"), ["main"]);
        assert_eq!(told("SELECT title FROM pull_request WHERE repo = 'octo/shop'"), ["New"]);
        assert_eq!(told("SELECT status FROM ci_run WHERE repo = 'octo/SHOP' AND run = '42'"), ["failure"]);
    }

    #[test]
    fn what_was_spent_is_summed_up_of_what_an_older_version_read() {
        let folder = tempfile::tempdir().unwrap();
        let before = open_tables(&folder.path().join("history.db"), &MIGRATIONS[..12]).unwrap();
        let put = "INSERT INTO response (file, session, model, workspace, input, output, cache_read, cache_write, cache_write_hour,
            recorded, priced, estimated, side, fast, counts, position) VALUES (1, 1, ?1, ?2, 0, 0, 0, 0, 0, ?3, ?4, ?5, 0, 0, ?6, 0)";
        let none = None::<i64>;
        for row in [
            (Some(1), Some(2), Some(7), Some(9), 1, 1),
            (Some(1), Some(2), none, Some(5), 1, 1),
            (Some(1), Some(2), none, none, 0, 1),
            (Some(1), Some(2), none, Some(100), 0, 0),
            (none, none, none, Some(3), 0, 1),
        ] {
            before.execute(put, row).unwrap();
        }
        drop(before);
        let index = Index::open(&DataFolder::at(folder.path())).unwrap();
        let mut find = index.connection().prepare("SELECT * FROM spent ORDER BY workspace").unwrap();
        let rows =
            find.query_map((), |row| (0..8).map(|column| row.get(column)).collect::<Result<Vec<i64>, _>>()).unwrap();
        let rows: Vec<Vec<i64>> = rows.map(Result::unwrap).collect();
        assert_eq!(rows, [[1, 0, 0, 1, 3, 0, 0, 3], [1, 2, 1, 3, 12, 5, 1, 7]]);
    }
}
