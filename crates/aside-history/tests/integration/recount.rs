//! The sums that an index keeps are those of its responses, and it finds by number and time what there is, and nothing else.

use std::path::Path;

use aside_store::sql::Connection;

/// Compares them with a recount.
pub fn check(data: &Path) {
    let index = Connection::open(data.join("history.db")).unwrap();
    let told = |sql: &str| {
        let mut find = index.prepare(sql).unwrap();
        let row =
            |row: &aside_store::sql::Row<'_>| (0..8).map(|column| row.get(column)).collect::<Result<Vec<i64>, _>>();
        find.query_map((), row).unwrap().map(Result::unwrap).collect::<Vec<_>>()
    };
    let kept = told("SELECT * FROM spent ORDER BY session, workspace, model");
    let counted = told(
        "SELECT session, COALESCE(workspace, 0), COALESCE(model, 0), COUNT(*), SUM(COALESCE(recorded, priced, 0)),
         SUM(IIF(recorded IS NULL AND estimated = 1, COALESCE(priced, 0), 0)), SUM(COALESCE(recorded, priced) IS NULL),
         MAX(COALESCE(recorded, priced, 0)) FROM response WHERE counts = 1 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
    );
    assert_eq!(kept, counted);
    for (kept, there) in [
        (
            "SELECT uid, kind, id FROM numbered",
            "SELECT uid, 0, id FROM message WHERE uid IS NOT NULL UNION ALL SELECT uid, 1, id FROM call WHERE uid IS NOT NULL
             UNION ALL SELECT uid, 2, id FROM response WHERE uid IS NOT NULL",
        ),
        ("SELECT at, id FROM timed", "SELECT at, id FROM response WHERE at IS NOT NULL"),
    ] {
        let more = |one: &str, other: &str| format!("EXISTS (SELECT * FROM ({one}) EXCEPT SELECT * FROM ({other}))");
        let differs = format!("SELECT {} OR {}", more(kept, there), more(there, kept));
        let differs: bool = index.query_row(&differs, (), |row| row.get(0)).unwrap();
        assert!(!differs, "{kept}");
    }
}
