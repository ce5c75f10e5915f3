//! How a call ended, by what it put out: the exit code stands in JSON around it, or in a few lines before it.

use serde::Deserialize;

use crate::lenient::{Amount, Object};

/// How those lines begin: only the first one is sure to be there.
const HEADS: [&str; 3] = ["Exit code: ", "Chunk ID: ", "Wall time: "];
/// The lines that tell the exit code.
const CODES: [&str; 2] = ["Exit code: ", "Process exited with code "];
/// What stands between those lines and what the program put out.
const BODY: &str = "Output:";

#[derive(Default, Deserialize)]
struct Output {
    #[serde(default)]
    metadata: Object<Metadata>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    exit_code: Amount,
}

/// Tells whether a call went well; none if it does not say, as while its program still runs.
pub fn went_well(output: &str) -> Option<bool> {
    let whole: Option<Object<Output>> = serde_json::from_str(output).ok();
    let told = whole.and_then(|output| output.0.metadata.0.exit_code.0).map(|code| code == 0.0);
    told.or_else(|| Some(code_before(output)? == 0))
}

/// The exit code in the lines before what the program put out, which may say anything.
fn code_before(output: &str) -> Option<i64> {
    if !HEADS.iter().any(|head| output.starts_with(head)) || !output.lines().any(|line| line == BODY) {
        return None;
    }
    let code = |line: &str| CODES.iter().find_map(|head| line.strip_prefix(head)?.trim().parse().ok());
    output.lines().take_while(|line| *line != BODY).find_map(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_is_told_in_several_forms() {
        for (output, told) in [
            (r#"{"output":"no","metadata":{"exit_code":2,"duration_seconds":0.1}}"#, Some(false)),
            ("Exit code: 0\nWall time: 0.1 seconds\nOutput:\nExit code: 1\n", Some(true)),
            ("Exit code: 101\nWall time: 2 seconds\nTotal output lines: 3\nOutput:\nerror", Some(false)),
            ("Chunk ID: 1f\nWall time: 0.2 seconds\nProcess exited with code 1\nOutput:\n", Some(false)),
            ("Wall time: 0.2 seconds\nProcess exited with code 0\nOriginal token count: 4\nOutput:\nok", Some(true)),
            ("Wall time: 9.0 seconds\nProcess running with session ID 7\nOutput:\nProcess exited with code 1", None),
            ("Process exited with code 1\nOutput:\n", None),
            ("Exit code: 1 is what it should say", None),
            ("[0]", None),
            ("", None),
        ] {
            assert_eq!(went_well(output), told, "{output}");
        }
    }
}
