//! A thread's title: the first words of its first message.

const LONGEST: usize = 60;

/// Returns the first words of the first line that has any.
pub fn title_of(message: &str) -> String {
    let line = message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("New thread");
    let plain: String = line.chars().filter(|character| !character.is_control()).collect();
    if plain.chars().count() <= LONGEST {
        return plain;
    }
    let cut: String = plain.chars().take(LONGEST).collect();
    let words = cut.rsplit_once(char::is_whitespace).map_or(cut.as_str(), |(words, _)| words);
    format!("{}…", words.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_and_no_more() {
        assert_eq!(title_of("\n  rename ht\nand more"), "rename ht");
        assert_eq!(title_of(""), "New thread");
        let long = title_of(&"word ".repeat(40));
        assert!(long.chars().count() <= LONGEST + 1 && long.ends_with("word…"), "{long}");
        assert_eq!(title_of(&"ü".repeat(99)).chars().count(), LONGEST + 1);
    }
}
