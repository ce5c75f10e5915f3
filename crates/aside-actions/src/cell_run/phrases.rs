//! The sentences that people say for `cell.run`.

/// All of them, in the notation of [`aside_core::Phrase`].
pub(super) const PHRASES: &[&str] = &[
    "run this cell",
    "run all cells",
    "execute the cell",
    "run the cells above",
    "(run|execute|rerun|re-run) [all|every|all of|each] [of] cells [again] => path={notebook}, part=all",
    "(run|execute|rerun|re-run) (every|each) cell [again] => path={notebook}, part=all",
    "(run|execute|rerun|re-run) (all|everything) [again] => path={notebook}, part=all",
    "(run|execute|rerun|re-run) [this] [whole|entire|complete] notebook [again|from top to bottom|from the top] => path={notebook}, part=all",
    "(run|execute|rerun|re-run) (all|every) (cell|cells) (in|of) [notebook] {path:notebook} => part=all",
    "(run|execute|rerun|re-run) all cells (in|of) [notebook] {path:notebook} => part=all",
    "(run|execute|rerun|re-run) all cells (in|of) (this|the) notebook => path={notebook}, part=all",
    "(run|execute|rerun|re-run) all of {path:notebook} => part=all",
    "(run|execute|rerun|re-run) [notebook|whole notebook] {path:notebook} [notebook] [again|from top to bottom] => part=all",
    "(run|execute|rerun|re-run) (this|current|selected|focused|active) cell [again] => path={notebook}, cells={cells}",
    "(run|execute|rerun|re-run) the cell [again] => path={notebook}, cells={cells}",
    "(run|execute|rerun|re-run) (cell|cells) [number|numbers] {cells:cells} [again] => path={notebook}",
    "(run|execute|rerun|re-run) (cell|cells) [number|numbers] {cells:cells} (of|in) [notebook] {path:notebook}",
    "(run|execute|rerun|re-run) the {cells:cells} (cell|cells) [again] => path={notebook}",
    "(run|execute|rerun|re-run) the {cells:cells} cell (of|in) [notebook] {path:notebook}",
    "(run|execute|rerun|re-run) [all] (cells above|above|cells above this one|cells above this cell|cells before this one|cells up to here|all above) => path={notebook}, part=above, cells={cells}",
    "(run|execute|rerun|re-run) (everything|all) above [this|this cell|this one|it] => path={notebook}, part=above, cells={cells}",
    "(run|execute|rerun|re-run) [all] (this cell and all below|this cell and everything below|this cell and below|this and all below|all below|cells below|everything below|from here|from here on|from here down|from this cell on|from this cell down|from this cell to the end|below) [this|this cell|this one|it] => path={notebook}, part=below, cells={cells}",
    "(run|execute|rerun|re-run) [all] cells above cell {cells:cells} => path={notebook}, part=above",
];
