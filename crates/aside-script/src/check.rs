//! Findings about the calls of a script, before anything runs: unknown actions, missing, unknown and wrong arguments.
//!
//! Only literal values are judged, so a finding is never a false alarm. A script that gives the name `aside` to something of its own has no findings.

use oxc::ast::ast::*;
use oxc::ast_visit::{Visit, walk};
use oxc::span::GetSpan;
use serde::{Deserialize, Serialize};

use crate::{ActionSignature, Program, literal, literal::ArgumentProblem, syntax};

/// A problem at a place of the script's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The line, from 1.
    pub line: u32,
    /// The column in UTF-16 units, from 1.
    pub column: u32,
    /// The column after its end, unless it ends on another line.
    pub end_column: Option<u32>,
    /// The problem.
    pub message: String,
    /// The solution, if there is a likely one.
    pub hint: Option<String>,
}

/// A call of an action in the text of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The action's name in the catalog.
    pub action: String,
    /// The line of the call, from 1.
    pub line: u32,
}

/// Compares each call of `aside` with the actions.
pub fn check(program: &Program, actions: &[ActionSignature]) -> Vec<Finding> {
    let source = program.source();
    let mut problems = Vec::new();
    each_call(source, |name, call| compare_call(name, call, actions, &mut problems));
    problems.into_iter().map(|problem| problem.at_its_place(source)).collect()
}

/// Returns the calls of actions that the text names. A call through a variable is known only when the script runs.
pub fn called(program: &Program) -> Vec<CallSite> {
    let source = program.source();
    let mut calls = Vec::new();
    let is_action = |name: &str| name != "sleep";
    each_call(source, |name, call| {
        if is_action(name) {
            calls.push(CallSite { action: name.to_owned(), line: syntax::line_of(source, call.span.start) });
        }
    });
    calls
}

/// Passes each call of `aside` on; none if the script gives the name to something of its own.
fn each_call(source: &str, mut look: impl FnMut(&str, &CallExpression<'_>) + Send) {
    // A text that does not parse has no calls, and its compilation says why.
    let _ = syntax::with_tree(source, |tree| {
        let mut names = Names::default();
        names.visit_program(tree);
        if !names.shadowed {
            Calls { look: &mut look }.visit_program(tree);
        }
    });
}

/// Finds out whether the script gives the name `aside` to something of its own.
#[derive(Default)]
struct Names {
    shadowed: bool,
}

impl<'a> Visit<'a> for Names {
    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        self.shadowed |= name.name == "aside";
    }
}

struct Calls<'l> {
    look: &'l mut dyn FnMut(&str, &CallExpression<'_>),
}

impl<'a> Visit<'a> for Calls<'_> {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if let Some(name) = action_name(&call.callee).filter(|_| !call.optional) {
            (self.look)(&name, call);
        }
        walk::walk_call_expression(self, call);
    }
}

fn compare_call(
    name: &str,
    call: &CallExpression<'_>,
    actions: &[ActionSignature],
    problems: &mut Vec<ArgumentProblem>,
) {
    if name == "sleep" {
        return;
    }
    let Some(action) = actions.iter().find(|action| action.name == name) else {
        let hint = literal::nearest(name, actions.iter().map(|action| action.name.as_str()))
            .map(|nearest| format!("Did you mean `aside.{nearest}`?"));
        let unknown = ArgumentProblem::new(call.callee.span(), format!("There is no action `{name}`."));
        return problems.push(ArgumentProblem { hint, ..unknown });
    };
    let (schema, place) = (&action.args_schema, "the arguments");
    match call.arguments.first() {
        None => literal::missing_properties(&[], schema, call.span, place, problems),
        Some(argument) => {
            if let Some(value) = argument.as_expression() {
                literal::compare(value, schema, schema, place, problems);
            }
        }
    }
}

impl ArgumentProblem {
    fn at_its_place(self, source: &str) -> Finding {
        let Self { span, message, hint } = self;
        let line = syntax::line_of(source, span.start);
        let ends_on_its_line = syntax::line_of(source, span.end) == line;
        Finding {
            line,
            column: syntax::column_of(source, span.start),
            end_column: ends_on_its_line.then(|| syntax::column_of(source, span.end)),
            message,
            hint,
        }
    }
}

/// The name of the action in `aside.noun.verb`, however many words it has.
fn action_name(callee: &Expression<'_>) -> Option<String> {
    let mut words = Vec::new();
    let mut expression = callee.get_inner_expression();
    while let Expression::StaticMemberExpression(member) = expression {
        if member.optional {
            return None;
        }
        words.push(member.property.name.as_str());
        expression = member.object.get_inner_expression();
    }
    let Expression::Identifier(root) = expression else { return None };
    // `aside.file.create.call(…)` and the like are calls of functions.
    if root.name != "aside" || words.is_empty() || matches!(words[0], "call" | "apply" | "bind" | "toString") {
        return None;
    }
    words.reverse();
    Some(words.join("."))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::compile;

    fn actions() -> Vec<ActionSignature> {
        let create = json!({
            "type": "object", "additionalProperties": false, "required": ["path"],
            "properties": {
                "path": {"type": "string"},
                "text": {"type": ["string", "null"]},
                "mode": {"enum": ["new", "replace"]},
                "edits": {"type": "array", "items": {"$ref": "#/$defs/Edit"}},
                "size": {"type": "integer"},
            },
            "$defs": {"Edit": {"type": "object", "additionalProperties": false, "required": ["old", "new"], "properties": {"old": {"type": "string"}, "new": {"type": "string"}}}},
        });
        let empty = json!({"type": "object", "additionalProperties": false, "properties": {}});
        [("file.create", create), ("file.list", empty.clone()), ("ui.tabs.close", empty)]
            .map(|(name, args_schema)| ActionSignature { name: name.into(), description: String::new(), args_schema })
            .into()
    }

    fn findings(source: &str) -> Vec<String> {
        let program = compile(source).unwrap_or_else(|error| panic!("{source}: {error:?}"));
        check(&program, &actions())
            .into_iter()
            .map(|found| {
                let end = found.end_column.map_or_else(String::new, |end| format!("-{end}"));
                let hint = found.hint.map_or_else(String::new, |hint| format!(" {hint}"));
                format!("{}:{}{end} {}{hint}", found.line, found.column, found.message)
            })
            .collect()
    }

    #[test]
    fn unknown_action_names_the_nearest() {
        assert_eq!(
            findings("1;\nawait aside.file.creat({ path: 'a' });"),
            ["2:7-23 There is no action `file.creat`. Did you mean `aside.file.create`?"]
        );
        assert_eq!(findings("aside.zzz()"), ["1:1-10 There is no action `zzz`."]);
    }

    #[test]
    fn wrong_arguments_are_found() {
        assert_eq!(findings("aside.file.create({})"), ["1:19-21 `path` is missing in the arguments."]);
        assert_eq!(findings("aside.file.create()"), ["1:1-20 `path` is missing in the arguments."]);
        assert_eq!(findings("aside.file.create({ path: 7 })"), ["1:27-28 `path` is a number, and a string is needed."]);
        assert_eq!(
            findings("aside.file.create({ path: `a${1}`, txt: 'b' })"),
            ["1:36-39 There is no `txt` in the arguments. Did you mean `text`?"]
        );
        assert_eq!(
            findings("aside.file.create('a')"),
            ["1:19-22 the arguments are a string, and an object is needed."]
        );
        assert_eq!(
            findings("aside.file.create({ path: 'a', mode: 'old' })"),
            ["1:38-43 `mode` is none of \"new\", \"replace\"."]
        );
        assert_eq!(
            findings("aside.file.create({ path: 'a', edits: [{ old: 'b' }] })"),
            ["1:40-52 `new` is missing in `edits`."]
        );
        assert_eq!(
            findings("aside.file.create({ path: 'a', size: 1.5 })"),
            ["1:38-41 `size` is a number, and an integer is needed."]
        );
    }

    #[test]
    fn calls_are_named_with_their_lines() {
        let calls = |source: &str| {
            let program = compile(source).unwrap();
            called(&program).into_iter().map(|call| format!("{} {}", call.action, call.line)).collect::<Vec<_>>()
        };
        let source = "await aside.sleep(1);\nif (args.close) await aside.ui.tabs.close();\nlist(aside.file.list());";
        assert_eq!(calls(source), ["ui.tabs.close 2", "file.list 3"]);
        assert_eq!(calls("const aside = {}; aside.file.list();"), Vec::<String>::new());
    }

    #[test]
    fn values_that_are_not_literal_pass() {
        for source in [
            "const wrong: any = {}; aside.file.create(wrong)",
            "aside.file.create({ path: args.path, text: null })",
            "aside.file.create({ ...args })",
            "aside.file.create({ [args.key]: 7 })",
            "const path = 'a'; aside.file.create({ path })",
            "aside.file.create({ path: 7 as any })",
            "aside.file.create({ path: args.a ? 1 : 'b' })",
            "const aside = { x: { y() {} } }; aside.x.y()",
            "const f = (aside: any) => aside.anything();",
            "aside.file?.nothing?.()",
            "aside.ui.tabs.close({}); await aside.sleep(5);",
            "aside.file.list()",
            "[1].map(aside.file.nothing)",
            "aside.file.create(...args)",
        ] {
            assert_eq!(findings(source), Vec::<String>::new(), "{source}");
        }
    }
}
