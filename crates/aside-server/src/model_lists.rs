//! `model-lists.json` in the person's own folder: which models the services on other machines named when they were asked
//! last, so that a start, which asks none of them, knows them.

use std::{collections::BTreeMap, io};

use aside_llm::{ModelInfo, ModelLists};
use aside_store::{DataFolder, TextFile};

/// Bytes of the file.
const LONGEST: u64 = 8 << 20;
/// Models of one list.
const MOST_MODELS: usize = 2000;

/// By service, then by host.
type Lists = BTreeMap<String, BTreeMap<String, Vec<ModelInfo>>>;

/// The file.
#[derive(Debug)]
pub(crate) struct KeptModelLists(TextFile);

impl KeptModelLists {
    /// The lists in the person's own folder.
    pub(crate) fn new(data: &DataFolder) -> Self {
        Self(data.file("model-lists.json", LONGEST))
    }
}

impl ModelLists for KeptModelLists {
    fn kept(&self, service: &str, host: &str) -> Option<Vec<ModelInfo>> {
        let text = self.0.read().ok().flatten()?;
        read(Some(&text)).remove(service)?.remove(host)
    }

    fn keep(&self, service: &str, host: &str, models: &[ModelInfo]) {
        let kept = self.0.change(|text| {
            let mut lists = read(text);
            let models = models.iter().take(MOST_MODELS).cloned().collect();
            lists.entry(service.to_owned()).or_default().insert(host.to_owned(), models);
            Ok::<_, io::Error>(serde_json::to_string(&lists)?)
        });
        if let Err(error) = kept {
            tracing::warn!(%error, "cannot store the models of {service}: they will be listed again after the next start");
        }
    }
}

/// What can't be read is asked for again.
fn read(text: Option<&str>) -> Lists {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_kept_by_service_and_host_and_a_damaged_file_holds_none() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(folder.path());
        let lists = KeptModelLists::new(&data);
        let named = |name: &str| vec![ModelInfo { context: Some(9), ..ModelInfo::named(name) }];
        assert_eq!(lists.kept("lab", "a:1"), None);
        lists.keep("lab", "a:1", &named("one"));
        lists.keep("lab", "b:1", &named("two"));
        lists.keep("lab", "a:1", &named("three"));
        let again = KeptModelLists::new(&data);
        assert_eq!((again.kept("lab", "a:1"), again.kept("lab", "b:1")), (Some(named("three")), Some(named("two"))));
        assert_eq!(again.kept("other", "a:1"), None);
        data.file("model-lists.json", LONGEST).change(|_| Ok::<_, io::Error>("{".to_owned())).unwrap();
        assert_eq!(again.kept("lab", "a:1"), None);
        again.keep("lab", "a:1", &named("four"));
        assert_eq!(again.kept("lab", "a:1"), Some(named("four")));
    }
}
