//! `table.read`: rows of a table of any size, in an order, through filters.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc, time::Duration};

use aside_core::{
    Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, TOLD_BYTES, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run, waiting};
use aside_table::{ColumnKind, RowOrder, RowPage, RowRequest, RowView, Table, TableFacts, Tables};
use aside_workspace::{MOST_TEXT, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::files::{counted, touching};

/// Rows of an answer, if no number is asked for and at most.
const USUAL: u32 = 50;
const MOST: u32 = 1_000;
/// Bytes of an answer, and of its parts beside rows and names.
const MOST_BYTES: usize = 100_000;
const HEAD: usize = 512;
/// The longest wait for an order or a filter.
const PATIENCE: Duration = Duration::from_secs(60);
/// The wait for the number of all rows.
const GLANCE: Duration = Duration::from_millis(500);

/// Arguments of `table.read`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file, relative to the workspace.
    path: WorkspacePath,
    /// First row, from 1, counted in the rows that the filters let through. Default: the first.
    #[serde(default)]
    from: Option<u32>,
    /// How many rows. Default: 50, at most 1,000.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    rows: Option<u32>,
    /// Names of columns to return. Default: all.
    #[serde(default)]
    columns: Vec<String>,
    /// Name of the column to sort by.
    #[serde(default)]
    sort: Option<String>,
    /// Sorts the largest first.
    #[serde(default)]
    descending: bool,
    /// Filters by the name of their column: words, `=words` for the whole field, `!words` for fields without them, `>5`, `>=`, `<`, `<=`.
    #[serde(default)]
    filters: BTreeMap<String, String>,
    /// A filter that any field of a row may pass.
    #[serde(default)]
    anywhere: Option<String>,
}

/// `table.read`.
pub(crate) struct TableRead {
    pub workspace: Arc<Workspace>,
    pub tables: Arc<Tables>,
}

impl Action for TableRead {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "table.read",
            summary: "Read rows of a table",
            description: "Returns rows of a CSV or TSV file of any size, sorted and filtered, with the names and kinds of its \
                columns. Use it in place of `doc.read` for large tables.",
            preconditions: &["the file is delimited text"],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Read the first rows", json!({"path": "data.csv", "rows": 5})),
                (
                    "Read the highest values",
                    json!({"path": "data.csv", "sort": "height", "descending": true, "rows": 3}),
                ),
            ],
            phrases: &[
                "read rows of a table",
                "show the first rows of the csv file",
                "filter the table",
                "sort the table",
            ],
            tags: &["table", "csv", "tsv", "rows", "columns", "sort", "filter"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        Ok(touching(&self.workspace.view(&context.would_be), &[&args.path], []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Read rows of {}", args.path)))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (workspace, tables) = (self.workspace.clone(), self.tables.clone());
        let (would_be, args) = (context.would_be.clone(), args.clone());
        let most = if context.origin.is_told() { TOLD_BYTES } else { MOST_BYTES };
        let read = move || {
            if would_be.is_empty() {
                let file = workspace.open_followed(&args.path)?;
                return read(&*tables.open(args.path.as_str(), file)?, &args, most);
            }
            let bytes = workspace.view(&would_be).content(&args.path, MOST_TEXT)?;
            read(&tables.of_bytes(args.path.as_str(), bytes)?, &args, most)
        };
        waiting(read).await.map_err(|error| error.failure())?.map(Run::observed)
    }
}

fn read(table: &Table, args: &Args, most: usize) -> Result<Observation, Failure> {
    table.wait(GLANCE);
    let facts = table.facts(None);
    let column = |name: &String| column_of(&facts, name);
    let view = RowView {
        header: None,
        order: match &args.sort {
            Some(name) => Some(RowOrder { column: column(name)?, descending: args.descending }),
            None => None,
        },
        anywhere: args.anywhere.clone().unwrap_or_default(),
        columns: args
            .filters
            .iter()
            .map(|(name, text)| Ok((column(name)?, text.clone())))
            .collect::<Result<_, Failure>>()?,
    };
    let mut chosen = args.columns.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    if chosen.is_empty() {
        chosen = (0..facts.columns.len()).collect();
    }
    let from = u64::from(args.from.unwrap_or(1).max(1) - 1);
    let count = args.rows.unwrap_or(USUAL).clamp(1, MOST) as usize;
    let request = RowRequest { view, from, count, first: 0, last: None, patience: PATIENCE };
    let page = table.page(&request)?;
    if page.progress < 1.0 && page.rows.len() < count {
        let percent = page.progress * 100.0;
        let message =
            format!("sorting or filtering `{}` takes longer than a minute: {percent:.0} % is done", args.path);
        return Err(Failure::new("busy", message).hint("ask again in a while: the work goes on"));
    }
    Ok(observation(args, &table.facts(None), &page, (&chosen, from), most))
}

/// The column of a name, whatever its case if there is only one.
fn column_of(facts: &TableFacts, name: &str) -> Result<usize, Failure> {
    let names = || facts.columns.iter().map(|column| column.name.as_str());
    let is_alike = |known: &str| known.to_lowercase() == name.to_lowercase();
    let found = names().position(|known| known == name).or_else(|| names().position(is_alike));
    found.ok_or_else(|| {
        let known = names().take(30).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        Failure::new("no_such_column", format!("there is no column `{name}`")).hint(format!("the columns are: {known}"))
    })
}

/// The rows as lines of fields between tabs, as many as fit.
fn observation(
    args: &Args,
    facts: &TableFacts,
    page: &RowPage,
    (chosen, from): (&[usize], u64),
    most: usize,
) -> Observation {
    let names: Vec<_> = chosen.iter().map(|column| facts.columns[*column].name.as_str()).collect();
    let fields = |row: &[String]| chosen.iter().map(|at| row.get(*at).cloned().unwrap_or_default()).collect::<Vec<_>>();
    let mut lines = String::new();
    let mut rows: Vec<Value> = Vec::new();
    let room = most.saturating_sub(HEAD + args.path.as_str().len());
    line(&mut lines, "row", names.iter().copied());
    let names_fit = lines.len() <= room;
    lines.truncate(lines.floor_char_boundary(room));
    for (number, row) in &page.rows {
        let fields = fields(row);
        let before = lines.len();
        line(&mut lines, &(number + 1).to_string(), fields.iter().map(String::as_str));
        if lines.len() > room {
            lines.truncate(before);
            break;
        }
        rows.push(json!({"row": number + 1, "fields": fields}));
    }
    let so_far = if facts.progress < 1.0 { " so far, still reading" } else { "" };
    let total = counted(usize::try_from(facts.rows).unwrap_or(usize::MAX), "row");
    let mut head = format!("{}, {total}{so_far}, {}", args.path, counted(facts.columns.len(), "column"));
    if page.count != facts.rows {
        let _ = write!(head, ", {} pass the filters", page.count);
    }
    let end = from + rows.len() as u64;
    if rows.is_empty() && !page.rows.is_empty() {
        head.push_str("; no row fits into an answer: name fewer `columns`");
    } else if !names_fit || end < page.count {
        let _ = write!(head, "; here are rows {} to {end}, ask for more with `from`", from + 1);
    }
    let columns: Vec<_> = chosen
        .iter()
        .map(|column| {
            let column = &facts.columns[*column];
            json!({"name": column.name, "kind": if column.kind == ColumnKind::Number { "number" } else { "text" }})
        })
        .collect();
    let data = json!({
        "path": args.path, "total": facts.rows, "complete": facts.progress >= 1.0, "count": page.count, "from": from + 1,
        "columns": columns, "rows": rows,
    });
    Observation::with(format!("{head}\n{lines}"), data)
}

/// A line of fields; tabs and line ends in them become spaces.
fn line<'a>(lines: &mut String, first: &str, fields: impl Iterator<Item = &'a str>) {
    lines.push_str(first);
    for field in fields {
        lines.push('\t');
        lines.push_str(&field.replace(['\t', '\n', '\r'], " "));
    }
    lines.push('\n');
}
