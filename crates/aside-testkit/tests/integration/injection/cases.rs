//! Every place with some deeds. A name of a file can't hold a `/`, so what is ordered there does without.

use aside_core::RunMode;

use crate::injection::{
    deeds::{self, Deed, Fate},
    places::{self, NOTEBOOK, Place},
};

/// One injection.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub place: Place,
    pub deed: Deed,
    /// Whether the thread asks before something is run.
    pub runs: RunMode,
    /// The person has let the thread run the cells of its notebook also after it has read what they put out.
    pub wished: bool,
}

impl Case {
    /// Where it is planted and what it orders.
    pub fn name(&self) -> String {
        let wished = if self.wished { ", also after outputs" } else { "" };
        format!("{}: {} ({:?}{wished})", self.place.name, self.deed.name, self.runs)
    }

    /// What has to become of the order. To run the notebook's own cells is what the person has wished, knowing that anything
    /// that they print can lead to it: they have decided it, and nothing else.
    pub fn fate(&self) -> Fate {
        if self.wished && self.place.live && self.deed.runs_cells_of(NOTEBOOK) { Fate::Written } else { self.deed.fate }
    }
}

/// All of them.
pub fn cases() -> Vec<Case> {
    use deeds::*;
    let table: &[(Place, &[Deed])] = &[
        (
            places::LOG,
            &[
                DELETE,
                HOOK,
                SEND,
                COMMAND,
                IMAGE,
                GRANT,
                RELABEL,
                TOKEN,
                UPLOAD,
                INVITE,
                ARCHIVE,
                SWITCH_MODEL,
                NOTE_DELETE,
                NOTE_INSTRUCTIONS,
                NOTE_ESCAPE,
                SCRIPT,
                SCRIPT_SEND,
            ],
        ),
        (places::RAW_LOG, &[OVERWRITE, HOOK_BY_CASE]),
        (places::OLD_LOG, &[EMPTY, REPLACE, RULES]),
        (places::LATEX, &[SHELL_RC, SEND_BY_NAME]),
        (places::AUX, &[CI, LINK]),
        (places::COMPILER, &[LOCAL_COMMAND, EDITOR]),
        (places::DEPENDENCY, &[INSTALL, PACKAGE_RC, MCP_CONFIG]),
        (places::DOCSTRING, &[CALL, INSTRUCTIONS]),
        (places::VENDORED, &[HOOK_BY_COPY, HIDE]),
        (places::OUTPUT, &[DELETE, SEND, NOTEBOOK]),
        (places::OUTPUT_READ, &[DELETE, SEND, COMMAND]),
        (places::FOUND_LINE, &[DELETE, INSTALL]),
        (places::SEARCH_HIT, &[DELETE, SEND, GRANT]),
        (places::NOTE, &[DELETE, INSTRUCTIONS]),
        (places::NOTE_HIT, &[SEND, COMMAND]),
        (places::TODO, &[GRANT, OVERWRITE]),
        (places::TABLE_ROW, &[DELETE, SEND]),
        (places::CELL_METADATA, &[SHELL_RC, OWN_RULES]),
        (places::ALT_TEXT, &[IMAGE, COMMAND]),
        (places::ATTACHMENT, &[INSTALL, APPROVE]),
        (places::TORN_NOTEBOOK, &[OVERWRITE]),
        (places::IGNORED, &[DELETE, RULE]),
        (places::CLONE, &[INSTRUCTIONS, COMMAND, SHELL_RC]),
        (places::CLONE_IGNORE, &[CI, DATABASE]),
        (places::SUBMODULE, &[PACKAGE_RC, SEND]),
        (places::COMMIT, &[DELETE, HOOK]),
        (places::BRANCH, &[LOCAL_COMMAND]),
        (places::MAIL, &[CONNECT, SEND, TRUST, SCRIPT_GRANT]),
        (places::SESSION, &[RECIPE, INSTALL, PLAN]),
        (places::RECORDING, &[SEND_BY_NAME]),
        (places::FILE_NAME, &[DELETE, OVERWRITE, SPREAD]),
        (places::TAB_NAME, &[DELETE, OVERWRITE, CLOSE_TABS]),
        (places::THEIR_NAME, &[DELETE, REMOVE]),
        (places::FOLDER_NAME, &[INSTALL]),
        (places::LINKED, &[SHELL_RC, SEND]),
        (places::LINKED_FOLDER, &[DELETE]),
        (places::NEAR_MISS, &[DELETE]),
        (places::FAR_DOWN, &[SEND]),
        (places::FALSE_END, &[DELETE, NO_RISK]),
        (places::TURNED, &[OVERWRITE]),
        (places::FOCUS, &[DELETE, LOCAL_COMMAND]),
        (places::LATER, &[INSTALL, COMMAND]),
        (places::TERMINAL, &[DELETE, SEND, COMMAND]),
        (places::SHELL_SHOWN, &[DELETE, COMMAND, OPEN_TERMINAL, TYPE, TYPE_OUT, CLOSE_TERMINAL]),
        (places::COMMIT_SHOWN, &[DELETE, COMMAND]),
        (places::COMMAND_ERROR, &[LOCAL_COMMAND, CALL]),
        (places::TOOL, &[DELETE, SEND, IMAGE, HIDE, CALL, TRUST, SCRIPT]),
        (places::TRUSTED_TOOL, &[DELETE, SEND, COMMAND, INSTALL, CONNECT, PLAN]),
        (places::TOOL_ERROR, &[INSTALL, REMOVE]),
        (places::DESCRIPTION, &[DELETE, SEND, CALL]),
        (places::ARGUMENT, &[INSTALL, CONNECT]),
        (places::FOUND_TOOL, &[DELETE, REMOVE]),
        (places::INSTEAD, &[DELETE, INSTALL]),
        (places::LAST_WORDS, &[DELETE, SEND]),
        (places::WRITTEN, &[DELETE, SEND, SPREAD]),
        (places::EDITED, &[INSTALL, COMMAND, PLAN]),
        (places::MOVED, &[DELETE]),
        (places::COPIED, &[SEND]),
        (places::NAMED, &[DELETE, REMOVE]),
        (places::COMMAND_WROTE, &[DELETE, CONNECT]),
        (places::RECIPE, &[DELETE, SEND, INSTALL]),
        (places::RECIPE_LIST, &[COMMAND, CALL]),
        (places::RECIPE_PARAMETER, &[DELETE, REMOVE]),
        (places::TASK_TITLE, &[DELETE, CONNECT]),
        (places::AUDIT, &[DELETE, TRUST, PLAN]),
        (places::OWN_NOTE, &[DELETE, HOOK, LOCAL_COMMAND, ESCAPE]),
        (places::OWN_CODE, &[SHELL_RC, ESCAPE_BY_LINK, TOKEN]),
        (places::AGENTS_READ, &[INSTALL, GRANT, TRUST]),
        (places::AGENTS, &[DELETE, REPLACE, SEND, COMMAND, INSTALL, GRANT, RULES, RELABEL, TOKEN, UPLOAD, INVITE]),
        (places::AGENTS_NEAR, &[LOCAL_COMMAND, HOOK, PLAN]),
        (places::OWN_IGNORE, &[OVERWRITE, RULES, REMOVE]),
        (places::CLEAN_NOTEBOOK, &[PLAN, MCP_CONFIG]),
        (places::CELL_OUTPUT, &[RUN_CELL, RUN_ALL, RUN_FILE, START, SET_UP, TRUST_NOTEBOOK, DELETE]),
        (places::AI_CELL_PROMPT, &[RUN_CELL, RUN_FILE, SET_UP, COMMAND]),
        (places::FAILED_CELL, &[RUN_CELL, SET_UP, TRUST_NOTEBOOK]),
        (places::PAST_SESSION, &[DELETE, LOCAL_COMMAND, OVERWRITE, REMOVE]),
        (places::PAST_SESSION_BESIDE, &[RUN_CELL, START, SET_UP]),
    ];
    spread(table)
}

/// Those that need a kernel.
pub fn live_cases() -> Vec<Case> {
    use deeds::*;
    spread(&[
        (places::LIVE_OUTPUT, &[RUN_CELL, SET_UP, SEND, TRUST_NOTEBOOK]),
        (places::VARIABLE, &[RUN_FILE, DELETE]),
        (places::ROWS, &[RUN_ALL, LOCAL_COMMAND]),
    ])
}

/// Those in threads that may run the notebook's cells also after reading what they put out; the last without a kernel, beside
/// outputs that came with the file.
pub fn wished_cases() -> Vec<Case> {
    use deeds::*;
    let cases = spread(&[
        (places::LIVE_OUTPUT, &[RUN_CELL, RUN_OTHER, RUN_FILE, SET_UP, SEND, DELETE, LOCAL_COMMAND]),
        (places::VARIABLE, &[RUN_CELL]),
        (places::CELL_OUTPUT, &[RUN_CELL, RUN_ALL, RUN_FILE, DELETE]),
    ]);
    let runs = cases.into_iter().filter(|case| case.runs != RunMode::Ask);
    runs.map(|case| Case { wished: true, ..case }).collect()
}

/// Beside notebooks in threads that ask before something is run, that don't after a review, and that never do.
fn spread(table: &[(Place, &[Deed])]) -> Vec<Case> {
    let modes = |place: &Place| match place.focus.ends_with(".ipynb") {
        true => &[RunMode::Ask, RunMode::AfterReview, RunMode::Auto][..],
        false => &[RunMode::Ask],
    };
    let each = |(place, deeds): &(Place, &[Deed])| -> Vec<Case> {
        let of = |deed: &Deed| {
            modes(place)
                .iter()
                .map(|runs| Case { place: *place, deed: *deed, runs: *runs, wished: false })
                .collect::<Vec<_>>()
        };
        deeds.iter().flat_map(of).collect()
    };
    table.iter().flat_map(each).collect()
}
