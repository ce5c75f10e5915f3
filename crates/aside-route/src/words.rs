//! Words with a meaning in every phrase, of all languages in one table: numbers, kinds of tabs, pointing words, joining words.
//! All are in the folded form of [`crate::token`].

/// Numbers and places, each with its forms.
#[rustfmt::skip]
const NUMBERS: &[(u32, &[&str])] = &[
    (1, &["one", "first", "1st", "eins", "ein", "eine", "erste", "ersten", "erster", "premier", "premiere", "un", "une", "primera", "primer", "uno", "una", "一", "第一", "最初", "1er", "1re"]),
    (2, &["two", "second", "2nd", "zwei", "zweite", "zweiten", "zweiter", "deux", "deuxieme", "seconde", "dos", "segunda", "segundo", "二", "两", "第二"]),
    (3, &["three", "third", "3rd", "drei", "dritte", "dritten", "dritter", "trois", "troisieme", "tres", "tercera", "tercer", "三", "第三"]),
    (4, &["four", "fourth", "4th", "vier", "vierte", "vierten", "quatre", "quatrieme", "cuatro", "cuarta", "cuarto", "四", "第四"]),
    (5, &["five", "fifth", "5th", "funf", "funfte", "funften", "cinq", "cinquieme", "cinco", "quinta", "quinto", "五", "第五"]),
    (6, &["six", "sixth", "6th", "sechs", "sechste", "sechsten", "sixieme", "seis", "sexta", "六", "第六"]),
    (7, &["seven", "seventh", "7th", "sieben", "siebte", "siebten", "sept", "septieme", "siete", "septima", "七", "第七"]),
    (8, &["eight", "eighth", "8th", "acht", "achte", "achten", "huit", "huitieme", "ocho", "octava", "八", "第八"]),
    (9, &["nine", "ninth", "9th", "neun", "neunte", "neunten", "neuf", "neuvieme", "nueve", "novena", "九", "第九"]),
    (10, &["ten", "tenth", "10th", "zehn", "zehnte", "dix", "dixieme", "diez", "decima", "十", "第十"]),
];

/// Kinds of tabs, with the words for one and for several of them.
#[rustfmt::skip]
const KINDS: &[(&str, &[&str], &[&str])] = &[
    ("chat", &["chat", "thread", "conversation", "unterhaltung", "conversacion", "聊天", "对话", "チャット"], &["chats", "threads", "conversations", "chattabs", "unterhaltungen", "conversaciones", "聊天", "对话", "チャット"]),
    ("notebook", &["notebook", "notizbuch", "cuaderno", "carnet", "笔记本", "ノートブック"], &["notebooks", "notizbucher", "cuadernos", "carnets", "笔记本", "ノートブック"]),
    ("code", &["code", "script", "skript", "source", "代码", "コード"], &["scripts", "skripte", "sources", "code", "代码", "コード"]),
    ("latex", &["latex", "tex"], &["latex", "tex"]),
    ("markdown", &["markdown"], &["markdown"]),
    ("data", &["data", "daten", "donnees", "datos", "数据", "データ"], &["data", "daten", "donnees", "datos", "数据", "データ"]),
    ("text", &["text"], &["texts"]),
    ("pdf", &["pdf"], &["pdfs", "pdf"]),
    ("image", &["image", "picture", "bild", "imagen", "图片", "画像"], &["images", "pictures", "bilder", "imagenes", "图片", "画像"]),
    ("terminal", &["terminal", "终端", "ターミナル"], &["terminals", "terminale", "terminaux", "terminales", "终端", "ターミナル"]),
];

/// Kinds of files by a word for their ending.
#[rustfmt::skip]
const ENDINGS: &[(&str, &str)] = &[
    ("python", "py"), ("rust", "rs"), ("csv", "csv"), ("py", "py"), ("ipynb", "ipynb"), ("md", "md"), ("markdown", "md"), ("tex", "tex"),
    ("latex", "tex"), ("pdf", "pdf"), ("png", "png"), ("json", "json"), ("yaml", "yaml"), ("txt", "txt"), ("notebook", "ipynb"), ("bib",
    "bib"), ("html", "html"), ("rs", "rs"), ("js", "js"), ("ts", "ts"), ("r", "r"),
];

/// Words for the object in front.
#[rustfmt::skip]
const THIS: &[&str] = &[
    "this", "it", "that", "this one", "this file", "the current file", "current file", "the file", "file", "this tab", "the current tab",
    "current tab", "the tab", "tab", "the active tab", "active tab", "the active file", "this document", "the current document", "the document",
    "the open file", "the current one", "this script", "this folder", "them", "these", "this note", "this page", "diese datei", "die datei", "datei",
    "die aktuelle datei", "aktuelle datei", "diesen tab", "dieser tab", "den tab", "den aktuellen tab", "aktuellen tab", "das", "es", "sie",
    "ce fichier", "le fichier", "le fichier courant", "le fichier actuel", "fichier", "cet onglet", "l'onglet", "l'onglet actuel", "l'onglet courant",
    "le", "la", "este archivo", "el archivo", "el archivo actual", "archivo", "este fichero", "esta pestana", "la pestana", "la pestana actual",
    "pestana actual", "esto", "这个文件", "此文件", "当前文件", "文件", "该文件", "这个", "它", "当前标签页", "这个标签页", "此标签页", "当前标签", "标签页", "このファイル", "ファイル", "現在のファイル",
    "これ", "それ", "このタブ", "現在のタブ", "今のタブ", "タブ",
];

/// Words before a name that say what it is.
#[rustfmt::skip]
const BEFORE_NAMES: &[&str] = &[
    "the ", "my ", "file ", "tab ", "document ", "script ", "notebook ", "folder ", "directory ", "dir ", "thread ", "chat ", "conversation ",
    "called ", "named ", "die ", "den ", "das ", "der ", "dem ", "datei ", "ordner ", "dokument ", "notizbuch ", "verzeichnis ", "skript ", "le ",
    "la ", "l'", "les ", "fichier ", "onglet ", "dossier ", "document ", "carnet ", "repertoire ", "el ", "los ", "las ", "archivo ", "fichero ",
    "carpeta ", "pestana ", "cuaderno ", "documento ", "directorio ", "文件夹 ", "文件夹", "文件 ", "文件", "笔记本 ", "笔记本", "标签页 ", "ファイル ", "ファイル", "フォルダ ",
    "フォルダ", "タブ ",
];

/// Words after a name that say what it is.
#[rustfmt::skip]
const AFTER_NAMES: &[&str] = &[
    " file", " tab", " document", " script", " notebook", " folder", " directory", " chat", " thread", " conversation", "-datei", " datei", "-tab",
    "-ordner", " ordner", "-notebook", "这个文件", " 文件夹", "文件夹", " 文件", "文件", " 标签页", "标签页", " 笔记本", "笔记本", "目录", "というファイル", "ファイル", " ファイル", "フォルダー",
    "フォルダ", " フォルダ", "のタブ", "タブ", " タブ", "ノートブック",
];

/// Words that join objects of a list, or commands.
pub(crate) const JOINERS: &[&str] = &[
    "and", ",", "und", "et", "y", "e", "和", "、", "，", "と", "then", ";", "dann", "puis", "luego", "然后", "并",
    "再", "&", "；", "danach", "ensuite", "despues",
];

/// Words that change nothing between the words of a command.
pub(crate) const FILLERS: &[&str] = &[
    "the", "my", "please", "die", "der", "das", "den", "dem", "bitte", "mal", "le", "la", "les", "l'", "el", "los",
    "las", "meine", "meinen", "mes", "mis", "mi", "mon", "ma",
];

/// Words that make a name or a free text suspicious: it is a condition, a negation or a description.
#[rustfmt::skip]
const SUSPICIOUS: &[&str] = &[
    "if", "unless", "when", "whenever", "once", "after", "before", "until", "while", "because", "but", "not", "don't", "never", "no", "without",
    "except", "otherwise", "else", "instead", "that", "which", "who", "whose", "all", "every", "each", "any", "some", "with", "from", "for", "of",
    "to", "in", "into", "about", "so", "than", "how", "why", "what", "where", "wenn", "falls", "nachdem", "bevor", "sobald", "nicht", "kein", "keine",
    "mit", "aus", "fur", "alle", "ohne", "si", "quand", "apres", "avant", "pas", "ne", "sans", "avec", "pour", "tous", "que", "cuando", "despues",
    "antes", "sin", "con", "para", "todos", "如果", "不", "别", "之后", "たら", "ない",
];

/// Words that make a longer free text a condition or a negation.
#[rustfmt::skip]
const CONDITIONS: &[&str] = &[
    "if", "when", "once", "unless", "whenever", "after", "before", "until", "because", "but", "not", "don't", "never", "otherwise", "instead", "wenn", "falls",
    "nachdem", "bevor", "sobald", "nicht", "quand", "apres", "avant", "pas", "ne", "cuando", "si", "no", "despues", "如果", "不要",
];

/// Reads a number or a place: `5`, `five`, `fifth`, `5th`.
pub(crate) fn number(folded: &str) -> Option<u32> {
    let digits =
        folded.trim_start_matches(['#', '第', 'n', 'º']).trim_end_matches(['.', 'º', 'ª', '个', 'つ', '番', '目']);
    let is_number = !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let ordinal = || folded.strip_suffix("th").or(folded.strip_suffix("e")).or(folded.strip_suffix("eme"));
    match is_number {
        true => digits.parse().ok(),
        false => NUMBERS
            .iter()
            .find(|(_, words)| words.contains(&folded))
            .map(|(number, _)| *number)
            .or_else(|| spelled(folded))
            .or_else(|| ordinal().filter(|digits| digits.len() <= 4).and_then(|digits| digits.parse().ok())),
    }
}

/// Reads a number below a thousand as English writes it, with or without spaces: `fourteen`, `two hundred`, `forty-two`.
fn spelled(folded: &str) -> Option<u32> {
    const SMALL: [&str; 19] = [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let place = |names: &[&str], word: &str| names.iter().position(|name| *name == word).map(|at| at as u32);
    let small = |word: &str| place(&SMALL, word).map(|at| at + 1);
    let text: String = folded.chars().filter(|letter| !matches!(letter, ' ' | '-')).collect();
    let below_hundred = |text: &str| {
        let tens = TENS.iter().find(|tens| text.starts_with(**tens));
        match tens {
            Some(tens) if text.len() == tens.len() => place(&TENS, tens).map(|at| (at + 2) * 10),
            Some(tens) => {
                let ones = small(&text[tens.len()..]).filter(|ones| *ones < 10)?;
                Some((place(&TENS, tens)? + 2) * 10 + ones)
            }
            None => small(text),
        }
    };
    match text.split_once("hundred") {
        None => below_hundred(&text),
        Some((hundreds, rest)) => {
            let hundreds = if hundreds == "a" { Some(1) } else { small(hundreds).filter(|count| *count < 10) }?;
            let rest = rest.strip_prefix("and").unwrap_or(rest);
            Some(hundreds * 100 + if rest.is_empty() { 0 } else { below_hundred(rest)? })
        }
    }
}

/// Returns the kind of tabs that a word for one of them means.
pub(crate) fn kind_of_one(folded: &str) -> Option<&'static str> {
    KINDS.iter().find(|(_, one, _)| one.contains(&folded)).map(|(kind, ..)| *kind)
}

/// Returns the kind of tabs that a word for several of them means.
pub(crate) fn kind_of_many(folded: &str) -> Option<&'static str> {
    KINDS.iter().find(|(_, _, many)| many.contains(&folded)).map(|(kind, ..)| *kind)
}

/// Returns the ending of files that a word means: `py` for `python`.
pub(crate) fn ending(folded: &str) -> Option<&'static str> {
    ENDINGS.iter().find(|(word, _)| *word == folded.trim_start_matches('.')).map(|(_, ending)| *ending)
}

/// Tells whether words point at the object in front.
pub(crate) fn is_this(folded: &str) -> bool {
    THIS.contains(&folded)
}

/// Tells whether words point at the object in front and at nothing else: `this file`, not `the file`.
pub(crate) fn is_exactly_this(folded: &str) -> bool {
    const POINTING: &[&str] = &[
        "this", "it", "current", "active", "diese", "dieses", "diesen", "aktuelle", "ce", "cet", "este", "esta",
        "esto", "actual", "actuel", "courant",
    ];
    let points = folded.split([' ', '\'']).any(|word| POINTING.contains(&word));
    is_this(folded)
        && (points
            || ["这", "此", "该", "当前", "它", "この", "現在", "これ", "それ"]
                .iter()
                .any(|word| folded.contains(word)))
}

/// Tells whether a word judges things, though it may be a name: `the old folder`.
pub(crate) fn is_judgement(folded: &str) -> bool {
    [
        "old",
        "new",
        "last",
        "first",
        "latest",
        "newest",
        "oldest",
        "empty",
        "big",
        "large",
        "small",
        "other",
        "unused",
        "wrong",
        "temporary",
        "alte",
        "alten",
        "neue",
        "leere",
        "旧",
        "老",
        "古い",
    ]
    .contains(&folded)
}

/// Tells whether a word can't be part of a plain name.
pub(crate) fn is_suspicious(folded: &str) -> bool {
    SUSPICIOUS.contains(&folded) || FILLERS.contains(&folded) || JOINERS.contains(&folded) || is_this(folded)
}

/// Tells whether a word in a free text can be a condition or a negation of the command itself.
pub(crate) fn is_condition(folded: &str) -> bool {
    CONDITIONS.contains(&folded)
}

/// Takes the words off that say of what kind a name is: `the file a.py` is `a.py`. Returns each shorter form.
pub(crate) fn bare_names(text: &str) -> Vec<&str> {
    let mut forms = vec![text];
    let mut rest = text;
    for _ in 0..3 {
        let shorter = BEFORE_NAMES.iter().find_map(|lead| without_start(rest, lead));
        let shorter = shorter.or_else(|| AFTER_NAMES.iter().find_map(|tail| without_end(rest, tail)));
        let Some(shorter) = shorter.map(str::trim).filter(|shorter| !shorter.is_empty()) else { break };
        forms.push(shorter);
        rest = shorter;
    }
    forms
}

fn without_start<'a>(text: &'a str, lead: &str) -> Option<&'a str> {
    let start = text.get(..lead.len())?;
    (start.to_lowercase() == *lead).then(|| &text[lead.len()..])
}

fn without_end<'a>(text: &'a str, tail: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(tail.len())?;
    let end = text.get(at..)?;
    (end.to_lowercase() == *tail).then(|| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_numbers() {
        for text in ["5", "five", "fifth", "5th", "第五", "#5", "funften"] {
            assert_eq!(number(text), Some(5), "{text}");
        }
        assert_eq!((number("door"), number("th")), (None, None));
        for (text, value) in [("twohundred", 200), ("forty-two", 42), ("ahundredandseven", 107), ("fourteen", 14)] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        assert_eq!((number("twentytwelve"), number("hundred"), number("onehundredth")), (None, None, None));
    }

    #[test]
    fn names_lose_the_words_around_them() {
        assert_eq!(bare_names("the file a.py").last(), Some(&"a.py"));
        assert_eq!(bare_names("a.py file"), ["a.py file", "a.py"]);
        assert_eq!(bare_names("delete"), ["delete"]);
    }
}
