//! Phrases in other languages than English, one table a language: a person who knows the language reads and mends one file,
//! and a declaration stays as short as its action. English phrases are in the declarations.

mod de;
mod es;
mod fr;
mod ja;
mod zh;

/// Phrases of one language, by action.
type Table = &'static [(&'static str, &'static [&'static str])];

const TABLES: [Table; 5] = [de::PHRASES, es::PHRASES, fr::PHRASES, ja::PHRASES, zh::PHRASES];

/// Returns the phrases of an action in all languages but English.
pub(crate) fn of(action: &str) -> impl Iterator<Item = &'static str> {
    let tables = TABLES.iter().flat_map(|table| table.iter());
    let found: Vec<_> =
        tables.filter(|(name, _)| *name == action).flat_map(|(_, phrases)| phrases.iter().copied()).collect();
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use aside_core::Phrase;

    use super::*;

    #[test]
    fn every_phrase_of_every_table_parses() {
        for (action, phrases) in TABLES.concat() {
            for phrase in phrases.iter() {
                assert!(phrase.parse::<Phrase>().is_ok(), "{action}: {phrase}");
            }
        }
    }
}
