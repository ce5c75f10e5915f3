//! A script that is ready to run: its text, and the same text without types.

use crate::{ScriptError, erase::erase, syntax};

/// The longest source in bytes.
const MOST_SOURCE: usize = 64 << 10;

/// A compiled script. Lines of its JavaScript are those of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    source: String,
    javascript: String,
}

impl Program {
    /// The script's own text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The text without types, line by line as long as the source.
    pub fn javascript(&self) -> &str {
        &self.javascript
    }
}

/// Compiles the body of an async function: erases its types, and refuses syntax that erasing can't remove.
pub fn compile(source: &str) -> Result<Program, ScriptError> {
    if source.len() > MOST_SOURCE {
        let size = source.len() >> 10;
        return Err(ScriptError::new(
            "too_large",
            format!("The script has {size} KiB, and the limit is {} KiB", MOST_SOURCE >> 10),
        ));
    }
    if let Some(place) = source.find('\0') {
        let line = syntax::line_of(source, u32::try_from(place).unwrap_or(u32::MAX));
        return Err(ScriptError::new("syntax_error", "The script has a NUL character").at(line));
    }
    let javascript = syntax::with_tree(source, |tree| erase(source, tree))??;
    syntax::is_javascript(&javascript).map_err(|error| ScriptError {
        code: "unsupported_syntax".to_owned(),
        hint: Some("Write the types of this line in a simpler form.".to_owned()),
        ..error
    })?;
    Ok(Program { source: source.to_owned(), javascript })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(source: &str) -> (String, Option<u32>) {
        let error = compile(source).expect_err(source);
        (error.code, error.line)
    }

    #[test]
    fn source_over_its_limit_is_refused() {
        assert!(compile(&" ".repeat(MOST_SOURCE)).is_ok());
        assert_eq!(error(&" ".repeat(MOST_SOURCE + 1)).0, "too_large");
    }

    #[test]
    fn syntax_error_has_its_line() {
        assert_eq!(error("const a = 1;\nconst b = ;\n"), ("syntax_error".to_owned(), Some(2)));
        assert_eq!(error("return 1;\n}\nreturn 2;").0, "syntax_error");
        assert_eq!(error("'\0'").0, "syntax_error");
    }

    #[test]
    fn deep_nesting_is_refused() {
        for unit in [
            "(", "[", "{", "!", "a=>", "x?", "`${", "-(", "if(1)", "f(", "<", "A<", "new ", "typeof ", "{a:", "a=",
            "a**", "a+", "let x:A<", "x as ",
        ] {
            assert_eq!(
                error(&unit.repeat(MOST_SOURCE / unit.len())),
                ("unsupported_syntax".to_owned(), Some(1)),
                "{unit}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn lines_stay_where_they_are(source in "[a-z:<>(){}=;|&?! \n\"'`$,.]{0,60}") {
            if let Ok(program) = compile(&source) {
                proptest::prop_assert_eq!(program.javascript().matches('\n').count(), source.matches('\n').count());
            }
        }
    }
}
