//! `aside.d.ts`: the types of the actions, for editors and models.

use serde_json::Value;

use crate::ActionSignature;

const HEAD: &str = "\
/** The answer of an action. */
interface Observation<Data = any> {
  readonly ok: true;
  readonly data: Data;
  readonly text: string;
}

/** The error of an action: it can be caught. */
declare class AsideError extends Error {
  constructor(code: string, message?: string, hint?: string);
  readonly name: \"AsideError\";
  readonly code: string;
  readonly hint?: string;
}

/** The input of the script. */
declare const args: any;

/** The log of the run. */
declare const console: Record<\"log\" | \"info\" | \"warn\" | \"error\" | \"debug\", (...values: unknown[]) => void>;

/** The actions. */
declare const aside: {
";

const SLEEP: &str = "  /** Waits, at most a day. */\n  sleep(milliseconds: number): Promise<void>;\n};\n";

/// Returns the declaration file of these actions: all of the catalog for an editor, some for a model.
pub fn declarations(actions: &[ActionSignature]) -> String {
    let mut root = Branch::default();
    for action in actions {
        let (nouns, verb) = action.name.rsplit_once('.').unwrap_or(("", &action.name));
        let branch = nouns.split('.').filter(|noun| !noun.is_empty()).fold(&mut root, |branch, noun| {
            let place = branch.branches.iter().position(|(name, _)| name == noun).unwrap_or_else(|| {
                branch.branches.push((noun.to_owned(), Branch::default()));
                branch.branches.len() - 1
            });
            &mut branch.branches[place].1
        });
        branch.actions.push((verb.to_owned(), action.clone()));
    }
    let mut text = HEAD.to_owned();
    root.write(1, &mut text);
    text.push_str(SLEEP);
    text
}

/// Returns the declaration of one action, for a model that writes a script.
pub fn declaration(action: &ActionSignature) -> String {
    let mut text = String::new();
    comment(&action.description, "", &mut text);
    text.push_str(&format!("aside.{}{}", action.name, parameters(action, 0)));
    text
}

/// The actions below one noun.
#[derive(Default)]
struct Branch {
    actions: Vec<(String, ActionSignature)>,
    branches: Vec<(String, Branch)>,
}

impl Branch {
    fn write(&self, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        for (verb, action) in &self.actions {
            comment(&action.description, &indent, text);
            text.push_str(&format!("{indent}{}{}\n", key(verb), parameters(action, depth)));
        }
        for (noun, branch) in &self.branches {
            text.push_str(&format!("{indent}readonly {}: {{\n", key(noun)));
            branch.write(depth + 1, text);
            text.push_str(&format!("{indent}}};\n"));
        }
    }
}

fn parameters(action: &ActionSignature, depth: usize) -> String {
    let schema = &action.args_schema;
    let optional = if schema["required"].as_array().is_none_or(Vec::is_empty) { "?" } else { "" };
    format!("(args{optional}: {}): Promise<Observation>;", type_of(schema, schema, depth, 0))
}

fn comment(words: &str, indent: &str, text: &mut String) {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ").replace("*/", "*\\/");
    if !words.is_empty() {
        text.push_str(&format!("{indent}/** {words} */\n"));
    }
}

fn key(name: &str) -> String {
    let plain = !name.is_empty()
        && !name.starts_with(|letter: char| letter.is_ascii_digit())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$');
    if plain { name.to_owned() } else { Value::from(name).to_string() }
}

/// The deepest nesting of types that is written out.
const DEEPEST: usize = 12;

/// The TypeScript type of a schema.
fn type_of(schema: &Value, root: &Value, depth: usize, nested: usize) -> String {
    if nested > DEEPEST {
        return "any".to_owned();
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        return target.map_or_else(|| "any".to_owned(), |target| type_of(target, root, depth, nested + 1));
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(values) = schema["enum"].as_array() {
        return union(values.iter().map(Value::to_string).collect());
    }
    if let Some(options) = ["anyOf", "oneOf"].iter().find_map(|key| schema[*key].as_array()) {
        return union(options.iter().map(|option| type_of(option, root, depth, nested + 1)).collect());
    }
    match &schema["type"] {
        Value::String(name) => named(name, schema, root, depth, nested),
        Value::Array(names) => {
            union(names.iter().filter_map(Value::as_str).map(|name| named(name, schema, root, depth, nested)).collect())
        }
        _ if schema["properties"].is_object() => named("object", schema, root, depth, nested),
        _ => "any".to_owned(),
    }
}

fn named(name: &str, schema: &Value, root: &Value, depth: usize, nested: usize) -> String {
    match name {
        "string" | "boolean" | "null" | "number" => name.to_owned(),
        "integer" => "number".to_owned(),
        "array" => match type_of(&schema["items"], root, depth, nested + 1) {
            item if item.contains(" | ") => format!("Array<{item}>"),
            item => format!("{item}[]"),
        },
        "object" => object(schema, root, depth, nested),
        _ => "any".to_owned(),
    }
}

fn object(schema: &Value, root: &Value, depth: usize, nested: usize) -> String {
    let indent = "  ".repeat(depth + 1);
    let Some(properties) = schema["properties"].as_object().filter(|properties| !properties.is_empty()) else {
        return if schema["additionalProperties"] == false {
            "Record<string, never>".to_owned()
        } else {
            "Record<string, any>".to_owned()
        };
    };
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|required| required.iter().any(|key| key == name));
    let mut text = "{\n".to_owned();
    for (name, property) in properties {
        comment(property["description"].as_str().unwrap_or_default(), &indent, &mut text);
        let optional = if required(name) { "" } else { "?" };
        text.push_str(&format!(
            "{indent}{}{optional}: {};\n",
            key(name),
            type_of(property, root, depth + 1, nested + 1)
        ));
    }
    text.push_str(&format!("{}}}", "  ".repeat(depth)));
    text
}

fn union(mut types: Vec<String>) -> String {
    types.dedup();
    if types.is_empty() { "never".to_owned() } else { types.join(" | ") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn action(name: &str, description: &str, args_schema: Value) -> ActionSignature {
        ActionSignature { name: name.into(), description: description.into(), args_schema }
    }

    #[test]
    fn declarations_show_arguments_and_docs() {
        let create = json!({
            "type": "object", "required": ["path"],
            "properties": {
                "path": {"type": "string", "description": "The path */ in the workspace."},
                "mode": {"enum": ["new", "replace"]},
                "edits": {"type": "array", "items": {"$ref": "#/$defs/Edit"}},
                "count": {"type": ["integer", "null"]},
            },
            "$defs": {"Edit": {"type": "object", "required": ["old-text"], "properties": {"old-text": {"type": "string"}}}},
        });
        let close = json!({"type": "object", "properties": {}, "additionalProperties": false});
        let text =
            declarations(&[action("file.create", "Creates\na file.", create), action("ui.tabs.close", "", close)]);
        let expected = "
  readonly file: {
    /** Creates a file. */
    create(args: {
      count?: number | null;
      edits?: {
        \"old-text\": string;
      }[];
      mode?: \"new\" | \"replace\";
      /** The path *\\/ in the workspace. */
      path: string;
    }): Promise<Observation>;
  };
  readonly ui: {
    readonly tabs: {
      close(args?: Record<string, never>): Promise<Observation>;
    };
  };
";
        assert_eq!(text.strip_prefix(HEAD).and_then(|text| text.strip_suffix(SLEEP)), Some(&expected[1..]), "{text}");
    }

    #[test]
    fn schema_that_contains_itself_ends() {
        let tree = json!({"$ref": "#/$defs/Tree", "$defs": {"Tree": {"type": "object", "properties": {"child": {"$ref": "#/$defs/Tree"}}}}});
        assert!(declarations(&[action("a.b", "", tree)]).contains("child?: any;"));
    }
}
