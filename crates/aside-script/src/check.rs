//! Findings about the calls of a script, before anything runs: unknown actions, missing, unknown and wrong arguments.
//!
//! Only literal values are judged, so a finding is never a false alarm. A script that gives the name `aside` to something of its own has no findings.

use oxc::ast::ast::*;
use oxc::ast_visit::{Visit, walk};
use oxc::span::GetSpan;
use serde::{Deserialize, Serialize};

use crate::{ActionSignature, Program, literal, syntax};

/// A problem at a place of the script's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The line, from 1.
    pub line: u32,
    /// The column in UTF-16 units, from 1.
    pub column: u32,
    /// The problem and its solution.
    pub message: String,
}

/// Compares each call of `aside` with the actions.
pub fn check(program: &Program, actions: &[ActionSignature]) -> Vec<Finding> {
    let source = program.source();
    let found = syntax::with_tree(source, |tree| {
        let mut checker = Checker { actions, problems: Vec::new(), shadowed: false };
        checker.visit_program(tree);
        if checker.shadowed { Vec::new() } else { checker.problems }
    });
    let finding = |(offset, message)| Finding {
        line: syntax::line_of(source, offset),
        column: syntax::column_of(source, offset),
        message,
    };
    found.unwrap_or_default().into_iter().map(finding).collect()
}

struct Checker<'c> {
    actions: &'c [ActionSignature],
    problems: Vec<literal::ArgumentProblem>,
    shadowed: bool,
}

impl<'a> Visit<'a> for Checker<'_> {
    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        self.shadowed |= name.name == "aside";
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if let Some(name) = action_name(&call.callee).filter(|_| !call.optional) {
            self.call(&name, call);
        }
        walk::walk_call_expression(self, call);
    }
}

impl Checker<'_> {
    fn call(&mut self, name: &str, call: &CallExpression<'_>) {
        if name == "sleep" {
            return;
        }
        let Some(action) = self.actions.iter().find(|action| action.name == name) else {
            let nearest = nearest(name, self.actions)
                .map_or_else(String::new, |nearest| format!(" Did you mean `aside.{nearest}`?"));
            return self.problems.push((call.callee.span().start, format!("There is no action `{name}`.{nearest}")));
        };
        match call.arguments.first() {
            None => literal::missing_properties(
                &[],
                &action.args_schema,
                call.span.start,
                "the arguments",
                &mut self.problems,
            ),
            Some(argument) => {
                if let Some(value) = argument.as_expression() {
                    literal::compare(
                        value,
                        &action.args_schema,
                        &action.args_schema,
                        "the arguments",
                        &mut self.problems,
                    );
                }
            }
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

/// The action with the most similar name, if one is similar.
fn nearest<'c>(name: &str, actions: &'c [ActionSignature]) -> Option<&'c str> {
    let distances = actions.iter().map(|action| (distance(name, &action.name), action.name.as_str()));
    distances.min().filter(|(distance, _)| *distance <= name.len() / 2).map(|(_, name)| name)
}

/// Levenshtein distance in bytes.
pub(crate) fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, from) in left.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, to) in right.bytes().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
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
            .map(|found| format!("{}:{} {}", found.line, found.column, found.message))
            .collect()
    }

    #[test]
    fn unknown_action_names_the_nearest() {
        assert_eq!(
            findings("1;\nawait aside.file.creat({ path: 'a' });"),
            ["2:7 There is no action `file.creat`. Did you mean `aside.file.create`?"]
        );
        assert_eq!(findings("aside.zzz()"), ["1:1 There is no action `zzz`."]);
    }

    #[test]
    fn wrong_arguments_are_found() {
        assert_eq!(findings("aside.file.create({})"), ["1:19 `path` is missing in the arguments."]);
        assert_eq!(findings("aside.file.create()"), ["1:1 `path` is missing in the arguments."]);
        assert_eq!(findings("aside.file.create({ path: 7 })"), ["1:27 `path` is a number, and a string is needed."]);
        assert_eq!(
            findings("aside.file.create({ path: `a${1}`, txt: 'b' })"),
            ["1:36 There is no `txt` in the arguments. Did you mean `text`?"]
        );
        assert_eq!(findings("aside.file.create('a')"), ["1:19 the arguments are a string, and an object is needed."]);
        assert_eq!(
            findings("aside.file.create({ path: 'a', mode: 'old' })"),
            ["1:38 `mode` is none of \"new\", \"replace\"."]
        );
        assert_eq!(
            findings("aside.file.create({ path: 'a', edits: [{ old: 'b' }] })"),
            ["1:40 `new` is missing in `edits`."]
        );
        assert_eq!(
            findings("aside.file.create({ path: 'a', size: 1.5 })"),
            ["1:38 `size` is a number, and an integer is needed."]
        );
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
