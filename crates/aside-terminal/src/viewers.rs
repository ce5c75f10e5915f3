//! The windows that show one terminal, and which of them sets its size. Pure.

use aside_core::TerminalSize;

/// One window of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewerId(u64);

/// The windows of a terminal, in the order in which they came. The program has the size of the window in which
/// somebody typed last; until somebody types, that of the window that came last.
#[derive(Debug, Default)]
pub struct Viewers {
    next: u64,
    all: Vec<(ViewerId, TerminalSize)>,
    /// The window that sets the size.
    leading: Option<ViewerId>,
    /// Somebody has typed in the leading window.
    typed: bool,
}

impl Viewers {
    /// Adds a window; returns it, and the size that holds now.
    pub fn come(&mut self, size: TerminalSize) -> (ViewerId, TerminalSize) {
        let id = ViewerId(self.next);
        self.next += 1;
        self.all.push((id, size));
        if !self.typed {
            self.leading = Some(id);
        }
        (id, self.size().unwrap_or(size))
    }

    /// Takes a window away; returns the size that holds now, if there are others.
    pub fn leave(&mut self, id: ViewerId) -> Option<TerminalSize> {
        self.all.retain(|(other, _)| *other != id);
        if self.leading == Some(id) {
            self.leading = self.all.last().map(|(id, _)| *id);
            self.typed = false;
        }
        self.size()
    }

    /// Notes the size of a window; returns the size that holds now.
    pub fn resize(&mut self, id: ViewerId, size: TerminalSize) -> Option<TerminalSize> {
        if let Some((_, known)) = self.all.iter_mut().find(|(other, _)| *other == id) {
            *known = size;
        }
        self.size()
    }

    /// Notes that somebody types in a window; returns the size that holds now.
    pub fn type_in(&mut self, id: ViewerId) -> Option<TerminalSize> {
        if self.all.iter().any(|(other, _)| *other == id) {
            (self.leading, self.typed) = (Some(id), true);
        }
        self.size()
    }

    /// Tells whether a window sets the size, so that the answers of its terminal count.
    pub fn leads(&self, id: ViewerId) -> bool {
        self.leading == Some(id)
    }

    fn size(&self) -> Option<TerminalSize> {
        self.all.iter().find(|(id, _)| Some(*id) == self.leading).map(|(_, size)| *size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(cols: u16) -> TerminalSize {
        TerminalSize { cols, rows: 24 }
    }

    #[test]
    fn the_window_that_typed_last_sets_the_size() {
        let mut viewers = Viewers::default();
        let (one, now) = viewers.come(size(80));
        assert_eq!(now, size(80));
        let (two, now) = viewers.come(size(120));
        assert_eq!(now, size(120), "nobody has typed: the one that came last");
        assert_eq!(viewers.type_in(one), Some(size(80)));
        assert_eq!(viewers.resize(two, size(140)), Some(size(80)), "kept until somebody types there");
        assert_eq!(viewers.come(size(50)).1, size(80));
        assert_eq!(viewers.resize(one, size(90)), Some(size(90)));
        assert_eq!(viewers.type_in(two), Some(size(140)));
        assert!(viewers.leads(two) && !viewers.leads(one));
    }

    #[test]
    fn another_window_takes_over_when_one_leaves() {
        let mut viewers = Viewers::default();
        let (one, _) = viewers.come(size(80));
        let (two, _) = viewers.come(size(120));
        viewers.type_in(two);
        assert_eq!(viewers.leave(two), Some(size(80)));
        assert_eq!(viewers.come(size(60)).1, size(60), "nobody has typed in those that are left");
        viewers.leave(one);
        assert_eq!(viewers.type_in(one), Some(size(60)), "one that left sets nothing");
    }
}
