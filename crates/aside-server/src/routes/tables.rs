//! `tables`: rows, summaries and fields of files of any size, of which only the asked parts are read.

use std::{sync::Arc, time::Duration};

use aside_core::{Failure, WorkspacePath};
use aside_macros::boxed;
use aside_protocol::{
    ColumnFacts, ColumnNumbers, ReadCell, ReadTable, SummariseColumn, TableCell, TableColumn, TableColumnKind,
    TableRow, TableRows, TableSummary, TableView,
};
use aside_table::{Column, ColumnKind, RowOrder, RowRequest, RowView, Summary, SummaryState, Table, TableError};
use axum::{Json, extract::State};

use crate::{
    app::{App, blocking},
    problem::{Body, Problem},
};

/// How long an answer waits for an order, a filter or a summary; the page then asks again, and shows the progress until then.
const PATIENCE: Duration = Duration::from_millis(250);

/// Returns rows of a table.
#[boxed]
pub async fn rows(State(app): State<Arc<App>>, Body(asked): Body<ReadTable>) -> Result<Json<TableRows>, Problem> {
    in_table(&app, asked.path.clone(), move |table| {
        let request = RowRequest {
            view: view_of(&asked.view),
            from: asked.from,
            count: asked.rows as usize,
            first: asked.first as usize,
            last: asked.last.map(|last| last as usize),
            patience: PATIENCE,
        };
        let page = table.page(&request)?;
        let facts = table.facts(asked.view.header);
        let version = format!("{}{}", facts.version, if facts.header { "h" } else { "" });
        let is_known = asked.known.is_some_and(|known| known == version);
        Ok(TableRows {
            version,
            size: facts.size,
            total: facts.rows,
            progress: facts.progress,
            header: facts.header,
            columns: (!is_known).then(|| facts.columns.iter().map(column).collect()),
            more_columns: facts.more_columns,
            encoding: facts.encoding.to_owned(),
            not_utf8: facts.not_utf8,
            open_quote: facts.open_quote,
            cut: facts.cut,
            count: page.count,
            work: page.progress,
            rows: page.rows.into_iter().map(|(row, fields)| TableRow { row, fields }).collect(),
        })
    })
    .await
}

/// Summarises a column.
#[boxed]
pub async fn summary(
    State(app): State<Arc<App>>,
    Body(asked): Body<SummariseColumn>,
) -> Result<Json<TableSummary>, Problem> {
    in_table(&app, asked.path.clone(), move |table| {
        let state = table.summary(&view_of(&asked.view), asked.column as usize, PATIENCE)?;
        Ok(match state {
            SummaryState::Working(progress) => TableSummary { progress, facts: None },
            SummaryState::Done(summary) => TableSummary { progress: 1.0, facts: Some(facts(summary)) },
        })
    })
    .await
}

/// Returns the text of a field.
#[boxed]
pub async fn cell(State(app): State<Arc<App>>, Body(asked): Body<ReadCell>) -> Result<Json<TableCell>, Problem> {
    in_table(&app, asked.path.clone(), move |table| {
        let text = table.cell(asked.header, asked.row, asked.column as usize)?.unwrap_or_default();
        Ok(TableCell { text })
    })
    .await
}

/// Reads the table of a file as it is now, and follows the file.
async fn in_table<T: Send + 'static>(
    app: &Arc<App>,
    path: WorkspacePath,
    read: impl FnOnce(&Table) -> Result<T, TableError> + Send + 'static,
) -> Result<Json<T>, Problem> {
    let (workspace, tables) = (app.workspace.clone(), app.tables.clone());
    let read = move || {
        let file = workspace.open_followed(&path).map_err(|error| error.failure())?;
        let table = tables.open(path.as_str(), file)?;
        read(&table).map_err(Failure::from)
    };
    Ok(Json(blocking(read).await??))
}

fn view_of(view: &TableView) -> RowView {
    RowView {
        header: view.header,
        order: view.order.map(|order| RowOrder { column: order.column as usize, descending: order.descending }),
        anywhere: view.anywhere.clone(),
        columns: view.filters.iter().map(|filter| (filter.column as usize, filter.text.clone())).collect(),
    }
}

fn column(column: &Column) -> TableColumn {
    let kind = match column.kind {
        ColumnKind::Number => TableColumnKind::Number,
        ColumnKind::Text => TableColumnKind::Text,
    };
    TableColumn { name: column.name.clone(), kind, width: u32::try_from(column.width).unwrap_or(u32::MAX) }
}

fn facts(summary: Summary) -> ColumnFacts {
    let Summary { count, empty, distinct, top, numbers } = summary;
    let numbers = numbers.map(|numbers| ColumnNumbers {
        min: numbers.min,
        max: numbers.max,
        mean: numbers.mean,
        bins: numbers.bins,
    });
    ColumnFacts { count, empty, distinct, top, numbers }
}
