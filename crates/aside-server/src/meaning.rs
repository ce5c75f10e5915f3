//! The model of the search by meaning, as the setting `search.model` names it.

use std::{
    env,
    path::{Path, PathBuf},
    sync::{Arc, Weak},
};

use aside_core::ModelRef;
use aside_embed::{Embedder, LocalModel, ModelChoice};
use aside_index::{OpenModel, WorkspaceIndex};
use aside_llm::{Models, ServiceEmbedder};
use serde_json::Value;
use tokio::runtime::Handle;

use crate::settings::Settings;

const KEY: &str = "search.model";

/// Follows the setting as long as the index is there.
pub async fn follow(settings: Arc<Settings>, models: Arc<Models>, index: Weak<WorkspaceIndex>) {
    let mut changes = settings.changes();
    // The settings end with the workspace, not with this task.
    drop(settings);
    let mut known = None;
    loop {
        let value = changes.borrow_and_update().values().remove(KEY);
        let chosen = value.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
        if known.as_ref() != Some(&chosen) {
            let Some(index) = index.upgrade() else { return };
            index.choose_model(opener(chosen.clone(), models.clone(), Handle::current()));
            known = Some(chosen);
        }
        if changes.changed().await.is_err() {
            return;
        }
    }
}

fn opener(chosen: String, models: Arc<Models>, runtime: Handle) -> OpenModel {
    Box::new(move || {
        let said = |error: String| format!("The setting `{KEY}` can't be used: {error}");
        Ok(match ModelChoice::parse(&chosen).map_err(said)? {
            ModelChoice::None => None,
            ModelChoice::Folder(folder) => {
                let model = LocalModel::open(&at_home(&folder)).map_err(|error| said(error.to_string()))?;
                Some(Arc::new(model) as Arc<dyn Embedder>)
            }
            ModelChoice::Service { service, model } => {
                let model = ModelRef { provider: service, name: model };
                Some(Arc::new(ServiceEmbedder::new(models, model, runtime)))
            }
        })
    })
}

/// `~/models` lies in the home folder.
fn at_home(folder: &Path) -> PathBuf {
    match (folder.strip_prefix("~"), env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => folder.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn setting_names_its_mistake() {
        let open = |chosen: &str| {
            opener(chosen.to_owned(), Arc::new(Models::of([])), Handle::current())().map(|model| model.is_some())
        };
        let empty = tempfile::tempdir().unwrap();
        let folder = open(&format!("folder:{}", empty.path().display())).unwrap_err();
        assert!(folder.contains("search.model") && folder.contains("config.json"), "{folder}");
        assert!(open("all-minilm").unwrap_err().contains("folder:PATH"));
        assert_eq!((open(""), open("ollama:all-minilm")), (Ok(false), Ok(true)));
    }
}
