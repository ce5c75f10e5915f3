//! Bounds the depth and the time of parsing, before the parser sees a text.
//!
//! The parser calls itself for each level, and it tries some texts twice: `a<…` as type arguments and as a comparison, `([…` as a function type and as
//! a type in parentheses, `(…` as parameters and as a value. Nested in each other these cost 2ⁿ. So each character has a weight, the number of times
//! that the parser may read it, and the sum is bounded. All figures are upper estimates.

mod tokens;

use crate::ScriptError;
use tokens::{Before, Token, TokenKind, Tokens};

/// The deepest nesting of brackets.
const MOST_BRACKETS: usize = 200;
/// The deepest syntax tree: brackets, and the tokens of their unfinished statements.
pub(crate) const MOST_LEVELS: usize = 2_000;
/// The characters that the parser may read, those counted that it reads again.
const MOST_READ: u64 = 1 << 19;

/// Words that continue a statement on the next line.
const CONTINUES: [&str; 12] =
    ["else", "while", "catch", "finally", "instanceof", "in", "of", "as", "satisfies", "extends", "implements", "is"];

/// Refuses a text that is nested too deeply, or that the parser would read too often.
pub(crate) fn bound_nesting(source: &str) -> Result<(), ScriptError> {
    let mut tokens = Tokens::new(source);
    let mut frames = vec![Frame::default()];
    let (mut read, mut place) = (0_u64, 0);
    loop {
        let token = tokens.next()?;
        if let Some(token) = &token {
            take(&mut frames, token);
        }
        let frame = frames.last().expect("the text itself has a frame");
        let length = tokens.place() - std::mem::replace(&mut place, tokens.place());
        read = read.saturating_add(frame.readings().saturating_mul(length as u64));
        if frames.len() > MOST_BRACKETS || frame.levels() > MOST_LEVELS || read > MOST_READ {
            let error = ScriptError::new("unsupported_syntax", "The script is nested too deeply").at(tokens.line());
            return Err(error.hint("Split this statement, and give its parts names."));
        }
        if token.is_none() {
            return Ok(());
        }
    }
}

fn take(frames: &mut Vec<Frame>, token: &Token<'_>) {
    let frame = frames.last_mut().expect("the text itself has a frame");
    frame.end_statement_before(token);
    match token.kind {
        TokenKind::Open(bracket) => {
            let inner = frame.inner(bracket, token);
            frame.count(token);
            frames.push(inner);
        }
        TokenKind::Close { head } => {
            frames.pop();
            let outer = frames.last_mut().expect("closing brackets have their opening one");
            outer.count(token);
            if head {
                outer.keep();
            }
        }
        _ => frame.count(token),
    }
}

/// The text between two brackets, or the whole text.
#[derive(Debug, Default)]
struct Frame {
    /// Parentheses that are no arguments of a call.
    is_parentheses: bool,
    /// Only words so far.
    only_words: bool,
    /// Levels, readings and possible parameter lists around it.
    outer_levels: usize,
    outer_readings: u64,
    lists: u64,
    /// Tokens since the last `,`, and those before it that are still open.
    tokens: usize,
    kept: usize,
    /// `<` that may begin type arguments, and words of the statement that make the parser try again.
    angles: u64,
    retries: u64,
    infers: u32,
    /// A `?`, and arrow functions behind it: the parser may take their return type for the other branch.
    question: bool,
    arrows: u64,
    /// A `;` was read; `else` could follow.
    ending: bool,
}

impl Frame {
    fn inner(&self, bracket: u8, token: &Token<'_>) -> Self {
        let is_parentheses = bracket == b'(';
        let is_call = matches!(token.before, Before::Value | Before::Curly | Before::Angle);
        // A pattern at the start of parentheses.
        let twice = u64::from(self.is_parentheses && self.only_words && matches!(bracket, b'[' | b'{'));
        Self {
            is_parentheses: is_parentheses && !is_call,
            only_words: true,
            outer_levels: self.levels() + 1,
            outer_readings: self.own_readings().saturating_mul(1 + twice),
            lists: self.lists + self.arrows + u64::from(is_parentheses && !is_call),
            ..Self::default()
        }
    }

    fn levels(&self) -> usize {
        self.outer_levels + self.kept + self.tokens
    }

    fn own_readings(&self) -> u64 {
        let angles = self.angles.saturating_mul(1 + self.retries);
        let infers = 1_u64.checked_shl(self.infers).unwrap_or(u64::MAX);
        self.outer_readings.max(1).saturating_mul(1 + angles).saturating_mul(infers)
    }

    fn readings(&self) -> u64 {
        self.own_readings().saturating_mul(1 + self.lists + self.arrows)
    }

    fn end_statement_before(&mut self, token: &Token<'_>) {
        let word = token.kind == TokenKind::Word;
        let continues = word && CONTINUES.contains(&token.text);
        let complete = matches!(token.before, Before::Value | Before::Curly);
        if (std::mem::take(&mut self.ending) || (token.first_of_line && word && complete)) && !continues {
            (self.tokens, self.kept, self.angles, self.retries, self.infers) = (0, 0, 0, 0, 0);
            (self.question, self.arrows) = (false, 0);
        }
    }

    /// Keeps the tokens so far: a `,` does not end them.
    fn keep(&mut self) {
        self.kept += std::mem::take(&mut self.tokens);
    }

    fn count(&mut self, token: &Token<'_>) {
        self.tokens += 1;
        self.only_words &= token.kind == TokenKind::Word;
        match (token.kind, token.text) {
            (TokenKind::Word, "else" | "do") => self.keep(),
            (TokenKind::Word, "new" | "interface") => self.retries += 1,
            (TokenKind::Word, "infer") => self.infers += 1,
            (TokenKind::Mark(b'?'), _) => self.question = true,
            (TokenKind::Mark(b'A'), _) => self.arrows += u64::from(self.question),
            (TokenKind::Mark(b'<'), _) => {
                self.angles += 1;
                self.keep();
            }
            (TokenKind::Mark(b'>'), ">") => self.angles = self.angles.saturating_sub(1),
            (TokenKind::Mark(b'&' | b'|'), "&&" | "||") => self.angles = 0,
            (TokenKind::Mark(b','), _) => (self.tokens, self.question, self.arrows) = (0, false, 0),
            (TokenKind::Mark(b';'), _) => self.ending = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;

    /// Texts that repeat: a start, an opening part and a closing part.
    const REPEATED: [(&str, &str, &str); 58] = [
        ("a", "<{[a", "]:1}"),
        ("a", "<{[a", ""),
        ("a", "<(b=a", ""),
        ("a", "<a", ""),
        ("f(a", "<a,a", ""),
        ("a", "<`${a", ""),
        ("a", "<typeof a<{[a", ""),
        ("a", "<import('a',{with:{[a", ""),
        ("a", "<{get a():{[a", ""),
        ("a", "?.<{[a", ""),
        ("", "<{[", ""),
        ("", "(a=", ")"),
        ("", "({a=", "})"),
        ("", "async(a=", ""),
        ("", "<T>(a=", ""),
        ("", "<T extends {[", ""),
        ("", "a?(b):c=>", ""),
        ("", "a?(a=", ""),
        ("", "new A<{[", ""),
        ("", "new new A<{[", ""),
        ("", "(class extends A<{[", ""),
        ("", "interface A extends B<{m:{[a<{[()=>{", ""),
        ("let x:", "([a=y as ", "])=>1"),
        ("let x:", "({a=y as ", "})=>1"),
        ("let x:", "(infer A extends ", "?1:1)"),
        ("let x:", "[infer A extends infer B extends ", "?1:1]"),
        ("let x:A extends ", "B<infer A extends ", "?1:1>"),
        ("let x:", "(a:", ")=>1"),
        ("let x:", "A<", ""),
        ("let x:", "A<B,keyof keyof ", ""),
        ("let x:", "keyof\n", ""),
        ("let x:", "A extends B?", ""),
        ("let x:", "A extends B?C:", ""),
        ("let x:A", "[]", ""),
        ("let x:A", "?(", ""),
        ("", "(", ")"),
        ("", "[", "]"),
        ("", "{", "}"),
        ("", "`${", "}`"),
        ("", "!", ""),
        ("", "typeof ", ""),
        ("", "await ", ""),
        ("", "new ", ""),
        ("", "a=>", ""),
        ("", "a=", ""),
        ("", "a**", ""),
        ("1", "+1", ""),
        ("", "a?", ""),
        ("a", ".a", ""),
        ("a", "()", ""),
        ("a", "!", ""),
        ("x", " as x", ""),
        ("", "if(1)a,a;else ", ""),
        ("", "if(1)a:a:a:b,c;else ", ""),
        ("", "for(;;)", ""),
        ("", "do ", ""),
        ("", "a:", ""),
        ("", "()=>{", "}"),
    ];

    fn passes(text: &str) -> bool {
        bound_nesting(text).is_ok()
    }

    #[test]
    fn parser_survives_every_text_at_its_bound() {
        for (start, open, close) in REPEATED {
            let text = |times| format!("{start}{}1{}", open.repeat(times), close.repeat(times));
            let times: Vec<usize> = (1..=MOST_LEVELS).collect();
            let most = times.partition_point(|times| passes(&text(*times)));
            let begun = std::time::Instant::now();
            let _ = compile(&text(most));
            assert!(begun.elapsed().as_secs() < 20, "{start}{open} × {most}");
            let error = compile(&text(most + 1)).expect_err(open);
            let (code, line) = (error.code.as_str(), error.line.is_some());
            assert!((code, line) == ("unsupported_syntax", true) && error.hint.is_some(), "{start}{open} × {most}");
        }
    }

    #[test]
    fn long_comments_count_as_often_as_read() {
        let nested = "a<{[".repeat(10);
        assert!(passes(&nested) && !passes(&format!("{nested}/*{}*/", " ".repeat(1_000))));
        assert!(!passes(&format!("{nested}'{}'", " ".repeat(1_000))));
    }

    #[test]
    fn ordinary_scripts_pass() {
        let statement = "const names = rows.map((row) => ({ name: row.name, big: row.size > 10 && row.size < 99 }))\n";
        let callback = "for (let i = 0; i < 9; i++) { await Promise.all(xs.map(async (x: Map<string, number[]>) => { if (x.size < 3) {\n";
        let union = "type Name = 'a'".to_owned() + &" | 'b'".repeat(900);
        for text in [
            statement.repeat(600),
            format!("{}{}{}", callback.repeat(2), statement.repeat(60), "} })) }".repeat(2)),
            format!("const rows = [{}]", "{ a: 1, b: [2, 3] }, ".repeat(2_500)),
            "function f(a: number): string {\n  return `${a / 2} px` + '(((('\n}\n".repeat(800),
            "if (a) { b() } else ".repeat(90) + "{ c() }",
            union,
        ] {
            assert!(text.len() < 64 << 10 && compile(&text).is_ok(), "{:?}", compile(&text).map(|_| text));
        }
    }

    #[test]
    fn regular_expressions_hide_no_brackets() {
        for text in [
            "const a = /[(<{/]/; return b / 2 / c",
            "if (a) /(\\/['\"]/.test(b)",
            "return (a + b) / 2 + 'km/h'",
            "a.return / 2 + '/'; 1. / 2 + '/'; a++ / 2 + '/'; a! / 2 + '/'",
            "[...typeof /`/.source]",
            "// it's\n/* ` */ `${`}` + '}'}`",
        ] {
            assert!(passes(text), "{text}: {:?}", bound_nesting(text));
        }
        for text in [
            "let x: A\n/'/; b",
            "x as void /a'/",
            "}/'/",
            "{}/'/",
            "await /'/",
            "<T>/'/",
            "r\\u0065turn /'/",
            "#!`",
            "return\n/'/",
            "return\u{301} /'/",
            "of /'/",
        ] {
            assert!(!passes(text), "{text}");
        }
        assert!(!passes(&format!("return\u{a0}/\"/; {}", "(".repeat(300))));
        assert!(!passes(&format!("// \u{2028} {}", "(".repeat(300))));
    }
}
