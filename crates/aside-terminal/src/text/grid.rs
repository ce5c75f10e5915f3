//! Rows of characters, and a cursor.

/// Stands in the second column of a wide character.
const FILLER: char = '\0';
/// Marks on one row, such as accents, at most.
const MOST_MARKS: usize = 1_000;

/// One row of a screen.
#[derive(Clone, Default)]
pub(super) struct Row {
    cells: Vec<char>,
    /// Marks that stand on the character of a column.
    marks: Vec<(usize, char)>,
    /// Its line goes on in the next row.
    pub wraps: bool,
}

/// A screen.
pub(super) struct Grid {
    /// From the top to the last that was written.
    pub rows: Vec<Row>,
    height: usize,
    width: usize,
    /// Row and column; the column is the width behind the last character of a full row.
    pub at: (usize, usize),
    saved: (usize, usize),
    /// The first and the last row that scroll.
    region: (usize, usize),
}

impl Row {
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.cells.len());
        for (column, cell) in self.cells.iter().enumerate().filter(|(_, cell)| **cell != FILLER) {
            text.push(*cell);
            text.extend(self.marks.iter().filter(|(at, _)| *at == column).map(|(_, mark)| *mark));
        }
        text
    }

    fn put(&mut self, column: usize, character: char) {
        if self.cells.len() <= column {
            self.cells.resize(column + 1, ' ');
        }
        self.cells[column] = character;
        self.marks.retain(|(at, _)| *at != column);
    }

    /// Cuts it off at a column.
    fn truncate(&mut self, column: usize) {
        self.cells.truncate(column);
        self.marks.retain(|(at, _)| *at < column);
        self.wraps = false;
    }

    fn blank(&mut self, from: usize, to: usize) {
        let end = to.min(self.cells.len());
        self.cells.iter_mut().take(end).skip(from).for_each(|cell| *cell = ' ');
        self.marks.retain(|(at, _)| !(from..to).contains(at));
    }
}

impl Grid {
    /// Makes an empty one of so many rows and columns.
    pub fn new((height, width): (usize, usize)) -> Self {
        Self { rows: Vec::new(), height, width, at: (0, 0), saved: (0, 0), region: (0, height - 1) }
    }

    /// Writes a character; returns the rows that this scrolled away.
    pub fn put(&mut self, character: char, width: usize) -> Vec<Row> {
        if width == 0 {
            let (row, column) = self.at;
            let row = self.row(row);
            if column > 0 && row.marks.len() < MOST_MARKS {
                let base =
                    if row.cells.get(column - 1) == Some(&FILLER) { column.saturating_sub(2) } else { column - 1 };
                row.marks.push((base, character));
            }
            return Vec::new();
        }
        let mut away = Vec::new();
        if self.at.1 + width > self.width {
            let row = self.at.0;
            self.row(row).wraps = true;
            away = self.line_feed();
            self.at.1 = 0;
        }
        let (row, column) = self.at;
        let cells = self.row(row);
        cells.put(column, character);
        if width > 1 {
            cells.put(column + 1, FILLER);
        }
        self.at.1 += width;
        away
    }

    /// Goes one row down, and scrolls at the end of the region; returns the rows that this scrolled away.
    pub fn line_feed(&mut self) -> Vec<Row> {
        if self.at.0 == self.region.1 {
            return self.scroll_up(1);
        }
        self.at.0 = (self.at.0 + 1).min(self.height - 1);
        Vec::new()
    }

    /// Goes one row up, and scrolls back at the beginning of the region.
    pub fn reverse_line_feed(&mut self) {
        if self.at.0 == self.region.0 {
            self.scroll_down(1);
        } else {
            self.at.0 = self.at.0.saturating_sub(1);
        }
    }

    /// Scrolls the region; returns the rows that left the screen at its top.
    pub fn scroll_up(&mut self, count: usize) -> Vec<Row> {
        let (top, bottom) = self.region;
        let away = self.take_rows(top, bottom, count);
        if top == 0 { away } else { Vec::new() }
    }

    /// Scrolls the region back.
    pub fn scroll_down(&mut self, count: usize) {
        let (top, bottom) = self.region;
        self.add_rows(top, bottom, count);
    }

    /// Inserts rows at the cursor.
    pub fn insert_lines(&mut self, count: usize) {
        if (self.region.0..=self.region.1).contains(&self.at.0) {
            self.add_rows(self.at.0, self.region.1, count);
        }
    }

    /// Removes rows at the cursor.
    pub fn delete_lines(&mut self, count: usize) {
        if (self.region.0..=self.region.1).contains(&self.at.0) {
            self.take_rows(self.at.0, self.region.1, count);
        }
    }

    /// Removes characters at the cursor; the rest of the row comes closer.
    pub fn delete_characters(&mut self, count: usize) {
        let (row, column) = self.at;
        let row = self.row(row);
        let end = (column + count).min(row.cells.len());
        if column < end {
            row.cells.drain(column..end);
            row.marks.retain(|(at, _)| *at < column);
        }
    }

    /// Inserts blanks at the cursor; what leaves the row at its end is gone.
    pub fn insert_characters(&mut self, count: usize) {
        let ((row, column), width) = (self.at, self.width);
        let row = self.row(row);
        if column < row.cells.len() {
            let blanks = std::iter::repeat_n(' ', count.min(width));
            row.cells.splice(column..column, blanks);
            row.cells.truncate(width);
            row.marks.retain(|(at, _)| *at < column);
        }
    }

    /// Blanks characters at the cursor.
    pub fn erase_characters(&mut self, count: usize) {
        let (row, column) = self.at;
        self.row(row).blank(column, column.saturating_add(count));
    }

    /// Blanks the row after the cursor (0), before it (1) or all of it (2).
    pub fn erase_line(&mut self, part: u16) {
        let (row, column) = self.at;
        let row = self.row(row);
        match part {
            0 => row.truncate(column),
            1 => row.blank(0, column + 1),
            2 => row.truncate(0),
            _ => {}
        }
    }

    /// Blanks the screen after the cursor (0), before it (1) or all of it (2).
    pub fn erase_display(&mut self, part: u16) {
        match part {
            0 => {
                self.erase_line(0);
                self.rows.truncate(self.at.0 + 1);
            }
            1 => {
                self.erase_line(1);
                let above = self.at.0.min(self.rows.len());
                self.rows[..above].fill(Row::default());
            }
            2 => self.rows.clear(),
            _ => {}
        }
    }

    /// Sets the rows that scroll, counted from 1, and goes to the top.
    pub fn set_region(&mut self, top: usize, bottom: usize) {
        let (top, bottom) = (top.max(1) - 1, bottom.min(self.height) - 1);
        if top < bottom {
            self.region = (top, bottom);
            self.at = (0, 0);
        }
    }

    pub fn up(&mut self, count: usize) {
        self.at.0 = self.at.0.saturating_sub(count);
    }

    pub fn down(&mut self, count: usize) {
        self.go_to_row(self.at.0 + count);
    }

    pub fn left(&mut self, count: usize) {
        self.at.1 = self.at.1.min(self.width - 1).saturating_sub(count);
    }

    pub fn right(&mut self, count: usize) {
        self.go_to_column(self.at.1 + count);
    }

    pub fn go_to_row(&mut self, row: usize) {
        self.at.0 = row.min(self.height - 1);
    }

    pub fn go_to_column(&mut self, column: usize) {
        self.at.1 = column.min(self.width - 1);
    }

    pub fn tab(&mut self) {
        self.go_to_column((self.at.1 / 8 + 1) * 8);
    }

    pub fn save(&mut self) {
        self.saved = self.at;
    }

    pub fn restore(&mut self) {
        self.at = self.saved;
    }

    fn row(&mut self, index: usize) -> &mut Row {
        if self.rows.len() <= index {
            self.rows.resize(index + 1, Row::default());
        }
        &mut self.rows[index]
    }

    /// Takes rows away at `top`; blank ones come in at `bottom`.
    fn take_rows(&mut self, top: usize, bottom: usize, count: usize) -> Vec<Row> {
        let count = count.min(bottom + 1 - top);
        self.row(bottom);
        let away = self.rows.drain(top..top + count).collect();
        let at = bottom + 1 - count;
        self.rows.splice(at..at, std::iter::repeat_n(Row::default(), count));
        away
    }

    /// Puts blank rows in at `top`; as many go at `bottom`.
    fn add_rows(&mut self, top: usize, bottom: usize, count: usize) {
        let count = count.min(bottom + 1 - top);
        self.row(bottom);
        self.rows.drain(bottom + 1 - count..=bottom);
        self.rows.splice(top..top, std::iter::repeat_n(Row::default(), count));
    }
}
