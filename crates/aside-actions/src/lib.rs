//! The built-in actions, one file each: thin wrappers over the crates below, declared for the catalog.

mod browser;
mod catalog_describe;
mod catalog_search;
mod cell_clear_outputs;
mod cell_delete;
mod cell_edit;
mod cell_insert;
mod cell_kind;
mod cell_move;
mod cell_restore;
mod cell_restore_outputs;
mod cell_run;
mod cell_set;
mod cells;
mod checkpoint;
mod commands;
mod content_labels;
mod doc_checkpoint;
mod doc_create;
mod doc_edit;
mod doc_format;
mod doc_read;
mod doc_restore;
mod file_copy;
mod file_create;
mod file_delete;
mod file_diffs;
mod file_label;
mod file_list;
mod file_move;
mod file_read;
mod file_replace;
mod file_restore;
mod file_search;
mod file_upload;
mod files;
mod grant_create;
mod grant_revoke;
mod grants;
mod history;
mod in_files;
mod kernel_interrupt;
mod kernel_restart;
mod kernel_setup;
mod kernel_shutdown;
mod kernel_start;
mod kernel_variables;
mod kernels;
mod known_notes;
mod latex_build;
mod note_create;
mod note_delete;
mod note_edit;
mod note_link;
mod note_move;
mod note_read;
mod note_restore;
mod note_search;
mod note_tag;
mod note_update;
mod notebook_read;
mod notebook_run;
mod notebook_trust;
mod notes;
mod pages;
mod placing;
mod recent;
mod search_find;
mod shell_output;
mod shell_run;
mod snapshot_restore;
mod table_read;
mod tabs;
mod terminal_close;
mod terminal_list;
mod terminal_open;
mod terminal_read;
mod terminal_send;
mod terminals;
mod todo_add;
mod todo_delete;
mod todo_done;
mod todo_list;
mod todo_move;
mod todo_update;
mod trimmed;
mod ui_go;
mod ui_layout;
mod ui_open;
mod ui_panel;
mod ui_split;
mod ui_tabs_close;
mod ui_tabs_focus;
mod ui_tabs_list;
mod ui_tabs_open;
mod ui_tabs_reopen;
mod ui_tabs_reorder;

use std::sync::Arc;

use aside_core::ActionRequest;
use aside_gate::{Catalog, CatalogError, Grants, Handler, handler};
use aside_index::WorkspaceIndex;
use aside_kernels::Sessions;
use aside_store::Store;
use aside_table::Tables;
use aside_terminal::Terminals;
use aside_workspace::Workspace;
use serde_json::Value;

pub use browser::{Browser, WindowAnswer, WindowCall};
pub use history::{PersonsHistory, history};

use browser::Windows;
use kernels::NotebookKernels;
use notes::NoteAction;
use recent::Recent;
use search_find::SearchFind;
use tabs::WindowTabs;
use terminals::PersonsTerminals;

/// Builds the catalog of all built-in actions.
pub fn catalog(workspace: &Arc<Workspace>, grants: Grants, browser: Arc<dyn Browser>) -> Result<Catalog, CatalogError> {
    let files = || Arc::clone(workspace);
    let catalog = Catalog::with_listing(|listing| -> Vec<Arc<dyn Handler>> {
        let mut all = vec![
            handler(doc_read::DocRead { workspace: files() }),
            handler(doc_edit::DocEdit { workspace: files() }),
            handler(doc_format::DocFormat { workspace: files() }),
            handler(doc_restore::DocRestore { workspace: files() }),
            handler(doc_create::DocCreate { workspace: files() }),
            handler(doc_checkpoint::DocCheckpoint { workspace: files() }),
            handler(file_list::FileList { workspace: files() }),
            handler(file_label::FileLabel { workspace: files() }),
            handler(file_read::FileRead { workspace: files() }),
            handler(file_search::FileSearch { workspace: files(), recent: Recent::default() }),
            handler(file_replace::FileReplace { workspace: files(), recent: Recent::default() }),
            handler(file_create::FileCreate { workspace: files() }),
            handler(file_upload::FileUpload { workspace: files() }),
            handler(file_move::FileMove { workspace: files() }),
            handler(file_copy::FileCopy { workspace: files() }),
            handler(file_delete::FileDelete { workspace: files() }),
            handler(file_restore::FileRestore { workspace: files() }),
            handler(shell_run::ShellRun { workspace: files() }),
            handler(shell_output::ShellOutput { workspace: files() }),
            handler(latex_build::LatexBuild { workspace: files() }),
            handler(notebook_read::NotebookRead { workspace: files() }),
            handler(cells::ChangesCells::<cell_insert::Args>::over(files())),
            handler(cells::ChangesCells::<cell_set::Args>::over(files())),
            handler(cells::ChangesCells::<cell_edit::Args>::over(files())),
            handler(cells::ChangesCells::<cell_delete::Args>::over(files())),
            handler(cells::ChangesCells::<cell_move::Args>::over(files())),
            handler(cells::ChangesCells::<cell_kind::Args>::over(files())),
            handler(cells::ChangesCells::<cell_restore::Args>::over(files())),
            handler(notebook_run::NotebookRun { workspace: files() }),
            handler(note_read::NoteRead { workspace: files() }),
            handler(todo_list::TodoList { workspace: files() }),
            handler(snapshot_restore::SnapshotRestore { workspace: files() }),
            handler(catalog_search::CatalogSearch { listing: listing.clone() }),
            handler(catalog_describe::CatalogDescribe { listing }),
            handler(grant_create::GrantCreate { grants: grants.clone() }),
            handler(grant_revoke::GrantRevoke { grants }),
        ];
        all.extend(window_actions(workspace, &browser));
        all
    })?;
    catalog.keep_labels(Arc::new(content_labels::FileLabels { workspace: files() }));
    Ok(catalog)
}

/// The actions about cells that are run, and their kernels.
pub fn kernel_actions(workspace: &Arc<Workspace>, sessions: &Arc<Sessions>) -> [Arc<dyn Handler>; 10] {
    let kernels = || NotebookKernels { workspace: workspace.clone(), sessions: sessions.clone() };
    [
        handler(cell_run::CellRun(kernels())),
        handler(cell_clear_outputs::CellClearOutputs(kernels())),
        handler(cell_restore_outputs::CellRestoreOutputs(kernels())),
        handler(kernel_setup::KernelSetup { workspace: workspace.clone() }),
        handler(kernel_start::KernelStart(kernels())),
        handler(kernel_interrupt::KernelInterrupt(kernels())),
        handler(kernel_restart::KernelRestart(kernels())),
        handler(kernel_shutdown::KernelShutdown(kernels())),
        handler(kernel_variables::KernelVariables(kernels())),
        handler(notebook_trust::NotebookTrust(kernels())),
    ]
}

/// The actions of search.
pub fn search_actions(workspace: &Arc<Workspace>, index: &Arc<WorkspaceIndex>) -> [Arc<dyn Handler>; 2] {
    let search = || SearchFind { workspace: workspace.clone(), index: index.clone() };
    [handler(search()), handler(note_search::NoteSearch(search()))]
}

/// The actions about tables.
pub fn table_actions(workspace: &Arc<Workspace>, tables: &Arc<Tables>) -> [Arc<dyn Handler>; 1] {
    [handler(table_read::TableRead { workspace: workspace.clone(), tables: tables.clone() })]
}

/// The actions about terminals.
pub fn terminal_actions(
    workspace: &Arc<Workspace>,
    store: &Arc<Store>,
    terminals: &Arc<Terminals>,
) -> [Arc<dyn Handler>; 5] {
    let all = || PersonsTerminals { workspace: workspace.clone(), store: store.clone(), terminals: terminals.clone() };
    [
        handler(terminal_open::TerminalOpen(all())),
        handler(terminal_list::TerminalList(all())),
        handler(terminal_read::TerminalRead(all())),
        handler(terminal_send::TerminalSend(all())),
        handler(terminal_close::TerminalClose(all())),
    ]
}

/// The actions that change notes and todos.
pub fn note_actions(workspace: &Arc<Workspace>) -> [Arc<dyn Handler>; 13] {
    let files = || Arc::clone(workspace);
    [
        handler(NoteAction::<note_create::Args>::over(files())),
        handler(NoteAction::<note_update::Args>::over(files())),
        handler(note_edit::NoteEdit::new(files())),
        handler(NoteAction::<note_delete::Args>::over(files())),
        handler(NoteAction::<note_tag::Args>::over(files())),
        handler(NoteAction::<note_move::Args>::over(files())),
        handler(NoteAction::<note_link::Args>::over(files())),
        handler(note_restore::NoteRestore { workspace: files() }),
        handler(NoteAction::<todo_add::Args>::over(files())),
        handler(NoteAction::<todo_update::Args>::over(files())),
        handler(NoteAction::<todo_done::Args>::over(files())),
        handler(NoteAction::<todo_move::Args>::over(files())),
        handler(NoteAction::<todo_delete::Args>::over(files())),
    ]
}

/// The actions in a window of the person.
fn window_actions(workspace: &Arc<Workspace>, browser: &Arc<dyn Browser>) -> Vec<Arc<dyn Handler>> {
    let tabs = || WindowTabs::new(browser, workspace);
    let windows = || Windows(browser.clone());
    vec![
        handler(ui_open::UiOpen(tabs())),
        handler(ui_tabs_list::UiTabsList(tabs())),
        handler(ui_tabs_open::UiTabsOpen(tabs())),
        handler(ui_tabs_close::UiTabsClose(tabs())),
        handler(ui_tabs_reorder::UiTabsReorder(tabs())),
        handler(ui_tabs_focus::UiTabsFocus(tabs())),
        handler(ui_tabs_reopen::UiTabsReopen(tabs())),
        handler(ui_split::UiSplit(tabs())),
        handler(ui_layout::UiLayout(windows())),
        handler(ui_go::UiGo(tabs())),
        handler(ui_panel::UiPanel(windows())),
    ]
}

/// An inverse: one of our own actions with arguments we made.
fn request(name: &str, args: Value) -> ActionRequest {
    ActionRequest::new(name.parse().expect("our action names are well formed"), args)
}
