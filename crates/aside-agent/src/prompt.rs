//! The standing instructions: the profile's, and for a model without tools the grammar of blocks.
//!
//! The same from message to message, so that providers can cache them; what changes goes into the messages.

use crate::{
    profile::{ActionAccess, AgentProfile, Part},
    tools::Tools,
};

/// The blocks, each with the action that it stands for.
const GRAMMAR: &[Part] = &[
    Part::Always(
        "

You act by writing blocks. A block starts and ends at the beginning of a line, outside of any code fence.
",
    ),
    Part::With(
        "doc.edit",
        "
Replace lines 12 to 14 of the file you were shown (an empty block deletes them):
<<<EDIT lines 12-14
the new lines, complete and with their indentation
<<<END

The same in another file that you were shown: `<<<EDIT path/to/file.py lines 12-14`.
To insert lines, replace a line with itself and the new lines.

Replace a text that occurs exactly once:
<<<SEARCH path/to/file.py
the old lines, exactly as they are
>>>REPLACE
the new lines
<<<END
",
    ),
    Part::With(
        "doc.create",
        "
Create a file:
<<<CREATE path/to/new.py
its lines
<<<END
",
    ),
    Part::With(
        "doc.read",
        "
Read lines of this or another file; the next message shows them:
<<<SHOW path/to/file.py lines 1-200
<<<END
",
    ),
    Part::With(
        "doc.edit",
        "
If a block contains text that looks like these markers, write its own first and last line with one more `<`. All edits \
to one file in one answer are made together or not at all, and use the line numbers you were shown.
",
    ),
    Part::With(
        "task.plan",
        "
Changes to two or more files in one answer become one plan, which the user reviews as a whole and confirms once. Don't write a \
command next to them; say that the plan is waiting.
",
    ),
    Part::With(
        "cell.edit",
        "
In a notebook name the cell by its key. Replace lines 2 to 3 of a cell, in the version you were shown:
<<<EDIT cell 5f2c01aa lines 2-3 @0123456789ab
the new lines
<<<END

Replace a text that occurs exactly once in a cell:
<<<SEARCH cell 5f2c01aa
the old lines, exactly as they are
>>>REPLACE
the new lines
<<<END
",
    ),
    Part::With(
        "cell.insert",
        "
Insert a cell after another one, or at the end without `after` and a key; write `markdown cell` for text:
<<<CREATE code cell after 5f2c01aa
its lines
<<<END
",
    ),
    Part::With(
        "notebook.read",
        "
Read a cell and its outputs:
<<<SHOW cell 5f2c01aa lines 1-200
<<<END
",
    ),
    Part::With(
        "kernel.variables",
        "
For everything else, name an action and give it one JSON object; without `path` it applies to this notebook. The next \
message shows the result:
<<<ACTION kernel.variables {}
<<<END
",
    ),
    Part::With(
        "cell.run",
        "
To run cells: `cell.run {\"cells\": [\"5f2c01aa\"]}`. Write the cell in one answer and run it in the next.
",
    ),
    Part::With("cell.delete", "`cell.delete {\"cells\": [{\"cell\": \"5f2c01aa\", \"version\": \"0123456789ab\"}]}`\n"),
    Part::With("cell.move", "`cell.move {\"cell\": \"5f2c01aa\", \"after\": \"77aa01c2\"}`\n"),
    Part::With("cell.kind", "`cell.kind {\"cell\": \"5f2c01aa\", \"version\": \"0123456789ab\", \"kind\": \"markdown\"}`\n"),
    Part::With("cell.clear_outputs", "`cell.clear_outputs {\"cells\": [\"5f2c01aa\"]}`\n"),
    Part::With("kernel.interrupt", "`kernel.interrupt {}`\n"),
    Part::With("kernel.restart", "`kernel.restart {}`\n"),
    Part::With(
        "shell.run",
        "
Run a command in the workspace's folder, in a sandbox without a network. The user is asked first, and the next message shows \
the output and exit status. Write one command per block, and nothing else that depends on its output:
```exec
python3 -m pytest -q
```
",
    ),
    Part::Always("\nText outside of blocks changes nothing."),
    Part::Without("shell.run", " Commands can't be run."),
];

/// The one block of an agent that finds its actions in the catalog.
const CATALOG_GRAMMAR: &[Part] = &[Part::Always(
    "

You act by writing blocks. A block starts and ends at the beginning of a line, outside of any code fence. It names an action \
and gives it one JSON object; the next message shows the result:
<<<ACTION catalog.search {\"query\": \"rename a file\"}
<<<END
<<<ACTION file.move {\"from\": \"a.md\", \"to\": \"b.md\"}
<<<END
<<<ACTION hand_off {\"reason\": \"why\", \"summary\": \"the goal, what is done, what is left\"}
<<<END

Text outside of blocks changes nothing.",
)];

const TOOLS: &[Part] =
    &[Part::Always("\n\nYou act by calling tools. Call them; do not describe calls in your answer.")];

/// How a model acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// It calls tools.
    Tools,
    /// It takes none, and writes blocks.
    Blocks,
    /// It takes none, and nobody reads blocks: it answers.
    Words,
}

/// Returns the standing instructions for a model: of what its tools cover, and nothing else.
pub fn system_prompt(profile: &AgentProfile, tools: &Tools, ways: Ways, hint: bool) -> String {
    let none = Tools::default();
    let (ways, tools) = match ways {
        Ways::Tools => (TOOLS, tools),
        Ways::Blocks if profile.access == ActionAccess::Catalog => (CATALOG_GRAMMAR, tools),
        Ways::Blocks => (GRAMMAR, tools),
        Ways::Words => (&[][..], &none),
    };
    profile.prompt.iter().chain(ways).filter_map(|part| part.text(|action| tools.covers(action), hint)).collect()
}

#[cfg(test)]
mod tests {
    use crate::{
        grammar,
        profile::{AI_CELL, CODING_AGENT, NAVIGATOR, NOTEBOOK_AGENT},
        tools::tests::tools_of,
    };

    use super::*;

    #[test]
    fn the_blocks_that_are_taught_are_the_blocks_that_are_read() {
        let tools = tools_of(CODING_AGENT.actions);
        let taught = system_prompt(&CODING_AGENT, &tools, Ways::Blocks, false);
        let reading = grammar::read(&taught);
        assert_eq!(reading.problems, []);
        assert_eq!(reading.blocks.len(), 5, "{:?}", reading.blocks);
        assert!(matches!(reading.blocks.last(), Some(grammar::Block::Exec { command }) if command.contains("pytest")));
        assert!(!taught.contains("can't be run"));
    }

    #[test]
    fn who_may_run_no_command_is_not_taught_to() {
        let may: Vec<_> = CODING_AGENT.actions.iter().copied().filter(|action| *action != "shell.run").collect();
        let taught = system_prompt(&CODING_AGENT, &tools_of(&may), Ways::Blocks, false);
        assert_eq!(grammar::read(&taught).blocks.len(), 4);
        assert!(
            !taught.contains("```") && !taught.contains("`shell.run`") && taught.ends_with("Commands can't be run.")
        );
    }

    #[test]
    fn the_blocks_for_cells_are_taught_beside_a_notebook_and_only_those_that_may_be_used() {
        let taught = |actions: &[&str]| {
            let taught = system_prompt(&NOTEBOOK_AGENT, &tools_of(actions), Ways::Blocks, false);
            let reading = grammar::read(&taught);
            assert_eq!(reading.problems, []);
            (reading.blocks.len(), taught)
        };
        assert_eq!(taught(NOTEBOOK_AGENT.actions).0, 9);
        let (blocks, reading) = taught(&["notebook.read"]);
        assert_eq!(blocks, 1);
        for other in ["EDIT", "SEARCH", "CREATE", "cell.edit", "cell.set", "cell.insert", "`cell.run`"] {
            assert!(!reading.contains(other), "{other} in {reading}");
        }
    }

    #[test]
    fn who_can_only_answer_hears_of_nothing_to_call_or_to_write() {
        let taught = system_prompt(&AI_CELL, &tools_of(AI_CELL.actions), Ways::Words, false);
        for other in ["<<<", "call", "read_cell", "Put new cells", "Change and run"] {
            assert!(!taught.contains(other), "{other} in {taught}");
        }
        assert!(taught.contains("You can't change cells here"));
    }

    #[test]
    fn navigator_is_taught_one_block() {
        let tools = tools_of(NAVIGATOR.actions).with_access(ActionAccess::Catalog);
        let taught = system_prompt(&NAVIGATOR, &tools, Ways::Blocks, false);
        let reading = grammar::read(&taught);
        assert_eq!((reading.blocks.len(), reading.problems.len()), (3, 0), "{:?}", reading.problems);
        assert!(reading.blocks.iter().all(|block| matches!(block, grammar::Block::Action { .. })));
        let with_tools = system_prompt(&NAVIGATOR, &tools, Ways::Tools, false);
        assert!(!with_tools.contains("<<<") && with_tools.len() < 2_500, "{}", with_tools.len());
    }

    #[test]
    fn a_model_with_tools_is_not_taught_blocks() {
        assert!(!system_prompt(&CODING_AGENT, &tools_of(CODING_AGENT.actions), Ways::Tools, false).contains("<<<"));
    }

    #[test]
    fn who_only_reads_is_taught_to_ask_for_lines_and_no_other_block() {
        let taught = system_prompt(&CODING_AGENT, &tools_of(&["doc.read"]), Ways::Blocks, true);
        let reading = grammar::read(&taught);
        assert_eq!((reading.blocks.len(), reading.problems.len()), (1, 0), "{:?}", reading.blocks);
        assert!(taught.contains("<<<SHOW") && taught.contains("not solutions"));
        assert!(!taught.contains("<<<EDIT") && !taught.contains("<<<SEARCH") && !taught.contains("<<<CREATE"));
    }
}
