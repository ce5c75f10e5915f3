//! The value of the setting `search.model`.

use std::path::PathBuf;

/// The model that a person chose for search by meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ModelChoice {
    /// None: search by words alone.
    #[default]
    None,
    /// `folder:PATH`: a folder on this computer.
    Folder(PathBuf),
    /// `SERVICE:MODEL`, such as `ollama:all-minilm` or `openai:text-embedding-3-small`: a model service that is set up.
    Service {
        /// The service's id.
        service: String,
        /// The model's name there.
        model: String,
    },
}

impl ModelChoice {
    /// Reads the setting.
    ///
    /// # Errors
    ///
    /// A sentence, if it is of neither form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::None);
        }
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let (kind, rest) = (kind.trim(), rest.trim());
        let is_service =
            !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        match kind {
            "folder" if rest.is_empty() => Err("`folder:` is followed by the path of a model folder".to_owned()),
            "folder" => Ok(Self::Folder(PathBuf::from(rest))),
            _ if is_service && !rest.is_empty() => {
                Ok(Self::Service { service: kind.to_owned(), model: rest.to_owned() })
            }
            _ => Err("the model of search is `folder:PATH`, `ollama:MODEL` or `SERVICE:MODEL`".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_services_are_read() {
        assert_eq!(ModelChoice::parse("  "), Ok(ModelChoice::None));
        assert_eq!(ModelChoice::parse("folder:/models/a b"), Ok(ModelChoice::Folder("/models/a b".into())));
        let service =
            |service: &str, model: &str| ModelChoice::Service { service: service.into(), model: model.into() };
        assert_eq!(ModelChoice::parse("ollama:all-minilm:l6-v2"), Ok(service("ollama", "all-minilm:l6-v2")));
        assert_eq!(ModelChoice::parse("lab-2:BAAI/bge-m3"), Ok(service("lab-2", "BAAI/bge-m3")));
        for wrong in ["folder:", "ollama:", "/models/a", "all-minilm", ":x"] {
            assert!(ModelChoice::parse(wrong).is_err(), "{wrong}");
        }
    }
}
