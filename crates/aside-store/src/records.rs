//! JSON values by kind and id, some of them owned by another.

use rusqlite::{Connection, OptionalExtension as _, Params, params};
use serde::de::DeserializeOwned;

use crate::StoreError;

pub(crate) fn put(
    connection: &Connection,
    kind: &str,
    id: &str,
    owner: Option<&str>,
    body: &str,
) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO records (kind, id, owner, body) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (kind, id) DO UPDATE SET owner = excluded.owner, body = excluded.body",
        )?
        .execute(params![kind, id, owner, body])?;
    Ok(())
}

pub(crate) fn get<T: DeserializeOwned>(connection: &Connection, kind: &str, id: &str) -> Result<Option<T>, StoreError> {
    let body: Option<String> = connection
        .prepare_cached("SELECT body FROM records WHERE kind = ?1 AND id = ?2")?
        .query_row([kind, id], |row| row.get(0))
        .optional()?;
    body.map(|body| parse(kind, id, &body)).transpose()
}

pub(crate) fn list<T: DeserializeOwned>(connection: &Connection, kind: &str) -> Result<Vec<T>, StoreError> {
    select(connection, kind, "SELECT id, body FROM records WHERE kind = ?1 ORDER BY id", [kind])
}

pub(crate) fn list_owned<T: DeserializeOwned>(
    connection: &Connection,
    kind: &str,
    owner: &str,
) -> Result<Vec<T>, StoreError> {
    let sql = "SELECT id, body FROM records WHERE kind = ?1 AND owner = ?2 ORDER BY id";
    select(connection, kind, sql, [kind, owner])
}

pub(crate) fn latest<T: DeserializeOwned>(
    connection: &Connection,
    kind: &str,
    limit: usize,
) -> Result<Vec<T>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let sql = "SELECT id, body FROM records WHERE kind = ?1 ORDER BY id DESC LIMIT ?2";
    select(connection, kind, sql, params![kind, limit])
}

pub(crate) fn older<T: DeserializeOwned>(
    connection: &Connection,
    kind: &str,
    before: &str,
    limit: usize,
) -> Result<Vec<T>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let sql = "SELECT id, body FROM records WHERE kind = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3";
    select(connection, kind, sql, params![kind, before, limit])
}

/// Those of an owner whose ids come after one, the first of them first.
pub(crate) fn owned_after<T: DeserializeOwned>(
    connection: &Connection,
    (kind, owner): (&str, &str),
    after: &str,
    limit: usize,
) -> Result<Vec<T>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let sql = "SELECT id, body FROM records WHERE kind = ?1 AND owner = ?2 AND id > ?3 ORDER BY id LIMIT ?4";
    select(connection, kind, sql, params![kind, owner, after, limit])
}

/// Those of an owner whose ids come before one, or the latest; the last of them first.
pub(crate) fn owned_before<T: DeserializeOwned>(
    connection: &Connection,
    (kind, owner): (&str, &str),
    before: Option<&str>,
    limit: usize,
) -> Result<Vec<T>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    match before {
        Some(before) => {
            let sql =
                "SELECT id, body FROM records WHERE kind = ?1 AND owner = ?2 AND id < ?3 ORDER BY id DESC LIMIT ?4";
            select(connection, kind, sql, params![kind, owner, before, limit])
        }
        None => {
            let sql = "SELECT id, body FROM records WHERE kind = ?1 AND owner = ?2 ORDER BY id DESC LIMIT ?3";
            select(connection, kind, sql, params![kind, owner, limit])
        }
    }
}

pub(crate) fn count_owned(connection: &Connection, kind: &str, owner: &str) -> Result<usize, StoreError> {
    let count: i64 = connection
        .prepare_cached("SELECT count(*) FROM records WHERE kind = ?1 AND owner = ?2")?
        .query_row([kind, owner], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or_default())
}

pub(crate) fn delete(connection: &Connection, kind: &str, id: &str) -> Result<bool, StoreError> {
    let mut statement = connection.prepare_cached("DELETE FROM records WHERE kind = ?1 AND id = ?2")?;
    Ok(statement.execute([kind, id])? > 0)
}

fn select<T: DeserializeOwned>(
    connection: &Connection,
    kind: &str,
    sql: &str,
    parameters: impl Params,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(parameters)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(parse(kind, row.get_ref(0)?.as_str().unwrap_or_default(), &row.get::<_, String>(1)?)?);
    }
    Ok(found)
}

pub(crate) fn parse<T: DeserializeOwned>(kind: &str, id: &str, body: &str) -> Result<T, StoreError> {
    serde_json::from_str(body).map_err(|error| StoreError::unreadable(format!("{kind} {id}"), error))
}

#[cfg(test)]
mod tests {
    use crate::{Store, StoreError, StoreOptions};

    #[test]
    fn records_are_replaced_listed_by_owner_and_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        store.put("note", "b", Some("ada"), &2).unwrap();
        store.put("note", "a", Some("ada"), &0).unwrap();
        store.put("note", "a", Some("ada"), &1).unwrap();
        store.put("note", "c", None, &3).unwrap();
        store.put("other", "a", Some("ada"), &"else").unwrap();
        assert_eq!(store.get::<i32>("note", "a").unwrap(), Some(1));
        assert_eq!(store.list::<i32>("note").unwrap(), [1, 2, 3]);
        assert_eq!(store.list_owned::<i32>("note", "ada").unwrap(), [1, 2]);
        assert_eq!(store.latest::<i32>("note", 2).unwrap(), [3, 2]);
        assert_eq!(store.older::<i32>("note", "c", 1).unwrap(), [2]);
        assert!(store.older::<i32>("note", "a", 1).unwrap().is_empty());
        assert_eq!(store.owned_after::<i32>("note", "ada", "a", 9).unwrap(), [2]);
        assert_eq!(store.owned_before::<i32>("note", "ada", None, 1).unwrap(), [2]);
        assert_eq!(store.owned_before::<i32>("note", "ada", Some("b"), 9).unwrap(), [1]);
        assert!(store.delete("note", "a").unwrap());
        assert!(!store.delete("note", "a").unwrap());
        assert_eq!(store.get::<i32>("note", "a").unwrap(), None);
    }

    #[test]
    fn a_record_of_another_form_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        store.put("note", "a", None, &"text").unwrap();
        let error = store.get::<i32>("note", "a").unwrap_err();
        assert!(matches!(&error, StoreError::Unreadable { what, .. } if what == "note a"), "{error:?}");
    }
}
