//! The words that some models want in front of a search and of a text that may answer it.

/// The words in front of texts; most models want none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefixes {
    /// In front of a search.
    pub query: String,
    /// In front of a text that may answer it.
    pub passage: String,
}

const FIND_PASSAGES: &str = "Represent this sentence for searching relevant passages: ";
const ANSWER: &str = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ";

/// Parts of models' names, with the words that their makers ask for.
const KNOWN: &[(&str, &str, &str)] = &[
    ("nomic-embed-text", "search_query: ", "search_document: "),
    ("embeddinggemma", "task: search result | query: ", "title: none | text: "),
    ("qwen3-embedding", ANSWER, ""),
    ("e5-", "query: ", "passage: "),
    ("mxbai-embed", FIND_PASSAGES, ""),
    ("snowflake-arctic-embed", FIND_PASSAGES, ""),
    ("bge-small-en", FIND_PASSAGES, ""),
    ("bge-base-en", FIND_PASSAGES, ""),
    ("bge-large-en", FIND_PASSAGES, ""),
];

impl Prefixes {
    /// Returns those of a model by its name, which may have a folder in front and a version behind.
    pub fn of(model: &str) -> Self {
        let name = model.to_lowercase();
        let known = KNOWN.iter().find(|(part, ..)| name.contains(part));
        known.map_or_else(Self::default, |(_, query, passage)| Self {
            query: (*query).to_owned(),
            passage: (*passage).to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_known_by_parts_of_their_names() {
        assert_eq!(Prefixes::of("nomic-embed-text:latest").passage, "search_document: ");
        assert_eq!(Prefixes::of("intfloat/E5-base-v2").query, "query: ");
        assert_eq!(Prefixes::of("all-minilm"), Prefixes::default());
    }
}
