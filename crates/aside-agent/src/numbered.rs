//! Edits of lines that are named by their numbers only, held against what the model was shown: numbers mean nothing
//! without the version that they are of, and in it they may mean lines that the model never saw.

use aside_core::{ActionRequest, LineRange, WorkspacePath};
use serde_json::{Value, json};

use crate::{
    shown::{Excerpts, Shown},
    tasks::PLAN,
};

/// Returns the version that the numbers of some lines are of. In one that was not shown, as after the model's own edit, it
/// may count by itself if it names it.
pub fn base_of(base: Option<&str>, lines: LineRange, shown: Option<&Excerpts>) -> Option<String> {
    let found = match (base, shown) {
        (Some(base), Some(shown)) if shown.knows(base) => Some(base).filter(|base| shown.holds(base, lines)),
        (Some(base), _) => Some(base),
        (None, shown) => shown.and_then(|shown| shown.version_of(lines)),
    };
    found.map(str::to_owned)
}

/// What a model is told of lines that it may not change by their numbers.
pub fn not_shown(lines: LineRange, name: &str) -> String {
    let LineRange { start, end } = lines;
    format!("Lines {start}-{end} of {name} changed, and you have not seen all of them in one version since.")
}

/// Returns a request with the version that its numbers are of, or what to tell the model. What names the old lines is held
/// against the file itself.
pub fn with_base(mut request: ActionRequest, shown: &Shown) -> Result<ActionRequest, String> {
    if request.action_type.as_str() == PLAN {
        let steps = request.args.get_mut("steps").and_then(Value::as_array_mut).into_iter().flatten();
        for step in steps.filter_map(Value::as_object_mut) {
            let name = step.get("action_type").and_then(Value::as_str).unwrap_or_default().to_owned();
            step.get_mut("args").map_or(Ok(()), |args| edit(&name, args, shown))?;
        }
    } else {
        edit(request.action_type.as_str(), &mut request.args, shown)?;
    }
    Ok(request)
}

fn edit(name: &str, args: &mut Value, shown: &Shown) -> Result<(), String> {
    let Ok(path) = args["path"].as_str().unwrap_or_default().parse::<WorkspacePath>() else { return Ok(()) };
    let (field, excerpts, name, read) = match (name, args["cell"].as_str()) {
        ("doc.edit", _) => ("base", shown.files.get(&path), path.to_string(), "doc_read"),
        ("cell.edit", Some(cell)) => ("version", shown.cell(&path, cell), format!("cell {cell}"), "notebook_read"),
        _ => return Ok(()),
    };
    let mut base = args[field].as_str().map(str::to_owned);
    for lines in args["edits"].as_array().into_iter().flatten().filter_map(numbered) {
        let found = base_of(base.as_deref(), lines, excerpts);
        base = Some(found.ok_or_else(|| {
            format!("{} Read them with `{read}` first, or pass them as `old`.", not_shown(lines, &name))
        })?);
    }
    if let Some(base) = base {
        args[field] = json!(base);
    }
    Ok(())
}

/// The lines of an edit that says no more of them than their numbers.
fn numbered(edit: &Value) -> Option<LineRange> {
    let number = |name: &str| u32::try_from(edit[name].as_u64()?).ok();
    let start = number("start").filter(|_| edit["old"].is_null())?;
    Some(LineRange { start, end: number("end").unwrap_or(start) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "a.py";

    fn shown() -> Shown {
        let (mut file, mut cell) = (Excerpts::default(), Excerpts::default());
        file.add("aaaaaaaaaaaa", LineRange { start: 1, end: 9 });
        cell.add("cccccccccccc", LineRange { start: 1, end: 2 });
        Shown {
            files: [(PATH.parse().unwrap(), file)].into(),
            cells: [((PATH.parse().unwrap(), "load".to_owned()), cell)].into(),
            ..Shown::default()
        }
    }

    /// What becomes of the arguments.
    fn based(name: &str, args: Value) -> Result<Value, String> {
        with_base(ActionRequest::new(name.parse().unwrap(), args), &shown()).map(|request| request.args)
    }

    fn lines(start: u32, end: u32) -> Value {
        json!({"start": start, "end": end, "new": "x"})
    }

    #[test]
    fn lines_by_their_numbers_are_of_the_version_in_which_they_were_shown() {
        let args = json!({"path": PATH, "edits": [lines(2, 3), lines(9, 9)]});
        assert_eq!(based("doc.edit", args).unwrap()["base"], "aaaaaaaaaaaa");
        let args = json!({"path": PATH, "cell": "lo", "edits": [lines(2, 2)]});
        assert_eq!(based("cell.edit", args).unwrap()["version"], "cccccccccccc");
    }

    #[test]
    fn lines_that_were_not_shown_are_refused_in_a_plan_too() {
        for base in [json!(null), json!("aaaaaaaaaaaa"), json!("aaaaaa")] {
            let args = json!({"path": PATH, "base": base, "edits": [lines(2, 3), lines(8, 10)]});
            let told = based("doc.edit", args.clone()).unwrap_err();
            assert!(told.starts_with("Lines 8-10 of a.py changed, and you have not seen all of them"), "{told}");
            let steps = json!([{"action_type": "doc.edit", "args": args}]);
            assert_eq!(based("task.plan", json!({"goal": "g", "steps": steps})).unwrap_err(), told);
        }
        let args = json!({"path": PATH, "cell": "load", "version": "cccccccccccc", "edits": [lines(2, 3)]});
        assert!(based("cell.edit", args).unwrap_err().contains("`notebook_read`"));
    }

    #[test]
    fn what_names_the_old_lines_or_a_version_that_was_not_shown_stays_as_it_is() {
        let old = json!({"start": 40, "end": 41, "old": "b\nc", "new": "x"});
        for args in [
            json!({"path": PATH, "edits": [old]}),
            json!({"path": PATH, "base": "bbbbbbbbbbbb", "edits": [lines(40, 41)]}),
            json!({"path": "../x", "edits": [lines(1, 1)]}),
            json!({"edits": "none"}),
            json!([1]),
        ] {
            assert_eq!(based("doc.edit", args.clone()).unwrap(), args);
        }
        let odd = json!({"steps": [7, {"action_type": "doc.edit"}, {"args": [1]}]});
        assert_eq!(based("task.plan", odd.clone()).unwrap(), odd);
        assert_eq!(based("shell.run", json!({"command": "ls"})).unwrap(), json!({"command": "ls"}));
    }
}
