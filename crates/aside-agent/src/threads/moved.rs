//! Threads go along when the file they are beside, or its folder, is moved.

use aside_core::{Thread, WorkspacePath};
use aside_store::{Durability, Store, StoreError};

use super::{KIND, write};

/// Takes the threads beside what was moved along; nothing else about them changes.
pub(crate) fn follow(store: &Store, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), StoreError> {
    store.transaction(Durability::Normal, |transaction| {
        for thread in transaction.list::<Thread>(KIND)? {
            let Some(document) = thread.document.as_ref().filter(|document| document.is_within(from)) else { continue };
            let below = &document.as_str()[from.as_str().len()..];
            let document = WorkspacePath::new(&format!("{to}{below}")).expect("two paths of the workspace make one");
            write(transaction, &Thread { document: Some(document), ..thread })?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use aside_store::StoreOptions;

    use super::*;
    use crate::threads::{NewThread, create, get, list};

    #[test]
    fn threads_follow_a_file_and_a_folder_and_no_twin() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let path = |text: &str| -> WorkspacePath { text.parse().unwrap() };
        let beside = |text: &str| {
            let new = NewThread { document: Some(path(text)), ..NewThread::default() };
            create(&store, new, &HashSet::new()).unwrap().id
        };
        let (one, twin) = (beside("src/a.py"), beside("src-old/a.py"));
        follow(&store, &path("src/a.py"), &path("src/b.py")).unwrap();
        follow(&store, &path("src"), &path("lib")).unwrap();
        assert_eq!(get(&store, &one).unwrap().document, Some(path("lib/b.py")));
        assert_eq!(get(&store, &twin).unwrap().document, Some(path("src-old/a.py")));
        assert_eq!(list(&store, Some(&path("lib/b.py"))).unwrap().len(), 1);
        assert!(list(&store, Some(&path("src/a.py"))).unwrap().is_empty());
    }
}
