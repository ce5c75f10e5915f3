//! A block that names an action and has its arguments, in the same line or in those below.

use serde_json::{Map, Value};

use super::{Block, Reader, header::Header, joined};

impl Reader<'_> {
    /// An end that is missing is forgiven where the arguments are whole in the first line: nothing can be lost.
    pub(super) fn action(&mut self, header: &Header) -> Result<Block, String> {
        let said = header.path.as_deref().unwrap_or_default();
        let at = said.find(|letter: char| letter.is_whitespace() || letter == '{').unwrap_or(said.len());
        let (name, first) = (said[..at].trim_matches(|quote| matches!(quote, '`' | '"' | ':')), said[at..].trim());
        let is_whole = serde_json::from_str::<Value>(first).is_ok();
        let below = match (header.closed, is_whole) {
            (true, _) => String::new(),
            (false, true) => {
                self.skip_own_end(header);
                String::new()
            }
            (false, false) => joined(&self.body(header)?),
        };
        if name.is_empty() {
            return Err(
                "an ACTION block needs the name of an action: `<<<ACTION cell.run {\"cells\": [\"KEY\"]}`".to_owned()
            );
        }
        let args = args_of(&format!("{first}\n{below}")).map_err(|problem| {
            format!("the arguments of {name} are not one JSON object ({problem}): write for example `{{\"path\": \"a.ipynb\"}}`")
        })?;
        Ok(Block::Action { name: name.to_owned(), args })
    }
}

/// None is as good as empty ones.
fn args_of(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(args)) => Ok(args),
        Ok(_) => Err("another kind of value".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
