//! What kind of task a prompt is, by plain signs.

use serde::Serialize;

/// What a prompt is like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Features {
    /// `fix`, `refactor`, `test`, `build` or `explore`.
    pub intent: &'static str,
    /// `tiny`, `small`, `med` or `large`.
    pub token_band: &'static str,
    /// Languages that are named or whose files are.
    pub languages: Vec<&'static str>,
    /// Files that are named.
    pub file_mentions: usize,
    /// Blocks of code.
    pub code_blocks: usize,
}

const INTENTS: &[(&str, &[&str])] = &[
    (
        "fix",
        &[
            "fix", "fixes", "bug", "bugs", "broken", "error", "errors", "fail", "fails", "failing", "crash", "crashes",
            "debug",
        ],
    ),
    ("refactor", &["refactor", "rename", "clean", "cleanup", "simplify", "restructure", "extract", "move", "split"]),
    ("test", &["test", "tests", "testing", "coverage", "assert", "spec"]),
    ("build", &["add", "build", "create", "implement", "write", "make", "new", "feature", "support"]),
    ("explore", &["explain", "why", "how", "what", "where", "find", "show", "understand", "explore", "look"]),
];

const LANGUAGES: &[(&str, &[&str])] = &[
    ("rust", &["rust", "cargo", "rs"]),
    ("python", &["python", "pytest", "py", "ipynb"]),
    ("typescript", &["typescript", "ts", "tsx"]),
    ("javascript", &["javascript", "node", "js", "jsx", "mjs"]),
    ("go", &["golang", "go"]),
    ("java", &["java"]),
    ("c", &["cpp", "cc", "hpp", "cmake"]),
    ("css", &["css", "scss"]),
    ("sql", &["sql"]),
    ("latex", &["latex", "tex"]),
];

/// Reads what a prompt is like.
pub fn features(prompt: &str) -> Features {
    let lower = prompt.to_lowercase();
    let words: Vec<&str> = lower.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let hits = |of: &[&str]| words.iter().filter(|word| of.contains(word)).count();
    let mut intent = ("explore", 0);
    for (name, of) in INTENTS {
        let found = hits(of);
        if found > intent.1 {
            intent = (name, found);
        }
    }
    let languages = LANGUAGES.iter().filter(|(_, of)| hits(of) > 0).map(|(name, _)| *name).collect();
    let named = |word: &&str| {
        let word = word.trim_matches(|char: char| !char.is_alphanumeric());
        word.rsplit_once('.').is_some_and(|(name, ending)| {
            !name.is_empty() && (1..=5).contains(&ending.len()) && ending.chars().all(char::is_alphabetic)
        })
    };
    Features {
        intent: intent.0,
        token_band: match prompt.chars().count() / 4 {
            0..200 => "tiny",
            200..800 => "small",
            800..3_000 => "med",
            _ => "large",
        },
        languages,
        file_mentions: prompt.split_whitespace().filter(named).count(),
        code_blocks: prompt.matches("```").count() / 2,
    }
}

impl Features {
    /// Tells whether another prompt is of this kind: of one intent and size, and with a language in common if this names any.
    pub fn is_like(&self, wanted: &Self) -> bool {
        let common = wanted.languages.is_empty() || wanted.languages.iter().any(|one| self.languages.contains(one));
        self.intent == wanted.intent && self.token_band == wanted.token_band && common
    }

    /// The same for prompts of one kind.
    pub fn hash(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        aside_core::Sha256::of(text).as_str()[..32].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_whole() {
        let found = features("Fix the failing test in src/main.rs");
        assert_eq!((found.intent, found.token_band, found.file_mentions), ("fix", "tiny", 1));
        assert_eq!(found.languages, ["rust"]);
        // "latest" is no test, "address" adds nothing.
        assert_eq!(features("the latest address").intent, "explore");
        assert!(features("add a page to app.py").is_like(&features("create a page")));
        assert!(!features("create a page").is_like(&features("add a page to app.py")));
        assert_eq!(features("a").hash().len(), 32);
    }
}
