//! Logs of binary pieces, such as the updates of a CRDT: appended one by one, replaced as a whole.

use rusqlite::{Connection, params};

use crate::StoreError;

pub(crate) fn append(connection: &Connection, stream: &str, bytes: &[u8]) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO bytes (stream, seq, bytes)
             VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM bytes WHERE stream = ?1), ?2)",
        )?
        .execute(params![stream, bytes])?;
    Ok(())
}

pub(crate) fn read(connection: &Connection, stream: &str) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT bytes FROM bytes WHERE stream = ?1 ORDER BY seq")?;
    let pieces = statement.query_map([stream], |row| row.get(0))?;
    Ok(pieces.collect::<Result<_, _>>()?)
}

pub(crate) fn delete(connection: &Connection, stream: &str) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM bytes WHERE stream = ?1")?.execute([stream])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{Store, StoreOptions};

    #[test]
    fn pieces_keep_their_order_and_are_replaced_as_one() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        store.append_bytes("doc", &[1, 0]).unwrap();
        store.append_bytes("doc", &[2]).unwrap();
        store.append_bytes("else", &[9]).unwrap();
        assert_eq!(store.read_bytes("doc").unwrap(), [vec![1, 0], vec![2]]);
        store.replace_bytes("doc", &[3]).unwrap();
        store.append_bytes("doc", &[4]).unwrap();
        assert_eq!(store.read_bytes("doc").unwrap(), [vec![3], vec![4]]);
        store.delete_bytes("doc").unwrap();
        assert!(store.read_bytes("doc").unwrap().is_empty());
        assert_eq!(store.read_bytes("else").unwrap(), [vec![9]]);
    }
}
