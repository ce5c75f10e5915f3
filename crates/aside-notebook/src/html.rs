//! The words of an HTML output, for whoever sees no page: no markup, no scripts, no styles; rows and paragraphs as lines.

use std::borrow::Cow;

/// Elements whose content is no text of the page.
const UNSEEN: [&str; 7] = ["script", "style", "head", "title", "template", "noscript", "iframe"];
/// Elements that stand on lines of their own.
const BLOCKS: [&str; 34] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "caption",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "tr",
    "ul",
];
/// Other elements around lines.
const TABLES: [&str; 4] = ["table", "thead", "tbody", "tfoot"];

/// Returns the text that a page of this HTML would show.
pub fn html_text(html: &str) -> String {
    let mut page = Page::default();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        page.words(&rest[..at]);
        rest = &rest[at..];
        rest = match Tag::read(rest) {
            Read::Tag(tag, after) if !tag.closes && UNSEEN.contains(&&*tag.name) => after_element(after, &tag.name),
            Read::Tag(tag, after) => {
                page.tag(&tag);
                after
            }
            Read::Nothing(after) => after,
            Read::Text => {
                page.words("<");
                &rest[1..]
            }
        };
    }
    page.words(rest);
    page.done()
}

/// A page as far as it was read.
#[derive(Default)]
struct Page {
    text: String,
    /// White space is due before the next word.
    gap: bool,
    /// Elements in which white space stays as it is.
    verbatim: usize,
}

impl Page {
    fn words(&mut self, text: &str) {
        let text = html_escape::decode_html_entities(text);
        if self.verbatim > 0 {
            return self.text.push_str(&text);
        }
        for letter in text.chars() {
            if letter.is_whitespace() {
                self.gap = true;
                continue;
            }
            if std::mem::take(&mut self.gap) && !self.text.is_empty() && !self.text.ends_with(['\n', ' ']) {
                self.text.push(' ');
            }
            self.text.push(letter);
        }
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        match &*tag.name {
            "td" | "th" if !tag.closes => self.cell(),
            "img" => self.words(&tag.attribute("alt").map(|alt| format!(" [image: {alt}] ")).unwrap_or_default()),
            name if BLOCKS.contains(&name) || TABLES.contains(&name) => {
                self.line();
                match (name, tag.closes) {
                    ("pre", false) => self.verbatim += 1,
                    ("pre", true) => self.verbatim = self.verbatim.saturating_sub(1),
                    ("li", false) => self.text.push_str("- "),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Begins a line, unless one has just begun.
    fn line(&mut self) {
        self.gap = false;
        self.text.truncate(self.text.trim_end_matches([' ', '\t']).len());
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Begins a cell of a row.
    fn cell(&mut self) {
        self.gap = false;
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push_str(" | ");
        } else {
            // An empty first cell keeps its place.
            self.text.push_str("| ");
        }
    }

    fn done(self) -> String {
        let lines = self.text.lines().map(|line| line.strip_prefix("| ").unwrap_or(line).trim_end());
        lines.collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
    }
}

/// An element's beginning or end.
struct Tag<'a> {
    /// In small letters.
    name: String,
    closes: bool,
    attributes: &'a str,
}

/// A `<` and what it begins.
enum Read<'a> {
    Tag(Tag<'a>, &'a str),
    /// A comment or a declaration.
    Nothing(&'a str),
    /// It is a letter of the text.
    Text,
}

impl<'a> Tag<'a> {
    fn read(html: &'a str) -> Read<'a> {
        if let Some(comment) = html.strip_prefix("<!--") {
            return Read::Nothing(comment.split_once("-->").map_or("", |(_, after)| after));
        }
        if html.starts_with("<!") || html.starts_with("<?") {
            return Read::Nothing(html.split_once('>').map_or("", |(_, after)| after));
        }
        let (closes, inner) = match html.strip_prefix("</") {
            Some(inner) => (true, inner),
            None => (false, &html[1..]),
        };
        if !inner.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return Read::Text;
        }
        let end = end_of_tag(inner);
        let (tag, after) = (&inner[..end], inner.get(end + 1..).unwrap_or_default());
        let name_end = tag.find(|letter: char| letter.is_whitespace() || letter == '/').unwrap_or(tag.len());
        let (name, attributes) = tag.split_at(name_end);
        Read::Tag(Tag { name: name.to_ascii_lowercase(), closes, attributes }, after)
    }

    fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        let start = self.attributes.find(&format!(" {name}="))? + name.len() + 2;
        let value = &self.attributes[start..];
        let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        let value = value[1..].split(quote).next().filter(|value| !value.trim().is_empty())?;
        Some(Cow::Borrowed(value))
    }
}

/// Where a tag ends: at a `>` that is in no quotes.
fn end_of_tag(tag: &str) -> usize {
    let mut quote = None;
    for (at, letter) in tag.char_indices() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            // Only a value is in quotes.
            (None, '"' | '\'') if tag[..at].trim_end().ends_with('=') => quote = Some(letter),
            (None, '>') => return at,
            (None, _) => {}
        }
    }
    tag.len()
}

/// Returns the text after the end of an element that was begun.
fn after_element<'a>(html: &'a str, name: &str) -> &'a str {
    let mut rest = html;
    while let Some(at) = rest.find("</") {
        let inner = &rest[at + 2..];
        let is_end = inner.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        if is_end {
            return inner.split_once('>').map_or("", |(_, after)| after);
        }
        rest = inner;
    }
    ""
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(html: &str, text: &str) {
        assert_eq!(html_text(html), text, "{html}");
    }

    #[test]
    fn markup_scripts_and_styles_are_gone() {
        check("<b>bold</b> and <i>not</i>", "bold and not");
        check(
            "<style>\n.a > b { color: red }\n</style><p>one</p><SCRIPT>if (a < b) alert('</p>')</Script>two",
            "one\ntwo",
        );
        check("<html><head><title>T</title></head><body>shown</body></html>", "shown");
        check("a<!-- <b>not</b> -->b<!doctype html>c", "abc");
        check("<script>never closed", "");
        check(r#"<a title="x > y" href='z'>link</a>"#, "link");
        check(r#"<img src="x.png" alt="a plot"/><img src="y.png">"#, "[image: a plot]");
    }

    #[test]
    fn entities_are_letters() {
        check("&lt;b&gt; &amp; &quot;x&quot; &#39;y&#x27; &eacute;&euro;&hellip; a&nbsp;b", "<b> & \"x\" 'y' é€… a b");
        check("&unknown; &amp;lt; AT&T", "&unknown; &lt; AT&T");
    }

    #[test]
    fn text_that_is_no_tag_stays() {
        check("1 < 2 and <3", "1 < 2 and <3");
        check("a <", "a <");
        check("x <b", "x");
    }

    #[test]
    fn rows_and_paragraphs_are_lines() {
        let frame = "<table border=\"1\">\n  <thead>\n    <tr><th></th><th>A</th><th>B</th></tr>\n  </thead>\n  <tbody>\n    \
                     <tr><th>0</th><td>1</td><td>x y</td></tr>\n    <tr><th>1</th><td></td><td>z</td></tr>\n  </tbody>\n</table>\n\
                     <p>2 rows × 2 columns</p>";
        check(frame, " | A | B\n0 | 1 | x y\n1 |  | z\n2 rows × 2 columns");
        check("<ul><li>one</li><li>two</li></ul>after<br>that", "- one\n- two\nafter\nthat");
        check("<pre>  a\n    b</pre><div>  c\n  d </div>", "  a\n    b\nc d");
    }

    proptest! {
        #[test]
        fn any_html_is_read_without_panic(html in "(?s)[<>/!\"'= a-cé&;#x\n-]{0,60}|(<(script|td|pre|li|img alt=\"é)>?|</pre>|x){0,12}") {
            html_text(&html);
        }
    }
}
