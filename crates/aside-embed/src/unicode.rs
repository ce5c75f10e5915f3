//! Classes of characters, as models of the BERT family are trained with them.

use unicode_general_category::{GeneralCategory as Category, get_general_category as category};

/// Marks that are written over letters.
pub fn is_nonspacing(char: char) -> bool {
    category(char) == Category::NonspacingMark
}

/// Characters without a form of their own, such as zero-width joiners, and private ones.
pub fn is_format(char: char) -> bool {
    matches!(category(char), Category::Format | Category::PrivateUse)
}

/// All ASCII signs, and the punctuation of other scripts.
pub fn is_punctuation(char: char) -> bool {
    char.is_ascii_punctuation()
        || matches!(
            category(char),
            Category::ConnectorPunctuation
                | Category::DashPunctuation
                | Category::OpenPunctuation
                | Category::ClosePunctuation
                | Category::InitialPunctuation
                | Category::FinalPunctuation
                | Category::OtherPunctuation
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_their_classes() {
        assert!(["\u{300}", "\u{36f}", "\u{fe0f}", "\u{94d}"].iter().all(|text| text.chars().all(is_nonspacing)));
        assert!(!is_nonspacing('a') && !is_nonspacing('\u{370}') && !is_nonspacing('\u{903}'));
        assert!(is_format('\u{200d}') && is_format('\u{feff}') && is_format('\u{e000}') && !is_format('\u{2010}'));
        assert!(['。', '¿', '$', '«', '）'].into_iter().all(is_punctuation) && !is_punctuation('€'));
    }
}
