//! The sums that an index keeps are those of its responses.

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
}
