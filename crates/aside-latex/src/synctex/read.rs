//! Reads the file, line by line: a preamble of `Key:value`, then records that begin with a letter or a bracket.

use std::collections::BTreeSet;

use super::{Horizontal, Point, SyncTex, SyncTexError};

/// Big points in TeX's scaled points.
const SCALED_POINTS: f64 = 72.0 / (72.27 * 65536.0);
const MALFORMED_INPUT: &str = "`Input:number:path` was expected";

/// Reads a SyncTeX file. Records of an unknown sort are passed over; one that is cut short at the end of the file is too.
pub fn parse_synctex(text: &str) -> Result<SyncTex, SyncTexError> {
    let mut lines = text.lines().enumerate();
    let version = lines.next().and_then(|(_, line)| line.strip_prefix("SyncTeX Version:"));
    match version.map(str::trim) {
        Some("1") => {}
        Some(version) => return Err(SyncTexError::Version(version.chars().take(40).collect())),
        None => return Err(SyncTexError::NotSyncTex),
    }
    let mut reader = Reader::default();
    let last = text.lines().count();
    for (at, line) in lines {
        match reader.line(line) {
            Ok(()) => {}
            Err(_) if at + 1 == last && !text.ends_with('\n') => break,
            Err(why) => return Err(SyncTexError::Malformed(at + 1, why)),
        }
    }
    Ok(reader.finished())
}

struct Reader {
    part: Part,
    page: u32,
    last_y: i64,
    /// The boxes around what is read: the number of a horizontal one, or none of a vertical one.
    around: Vec<Option<usize>>,
    forms: usize,
    inputs: Vec<(u32, String)>,
    boxes: Vec<Horizontal>,
    points: Vec<Point>,
    magnification: f64,
    unit: f64,
    offset: (f64, f64),
}

#[derive(PartialEq, Eq)]
enum Part {
    Preamble,
    Content,
    Postamble,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            part: Part::Preamble,
            page: 0,
            last_y: 0,
            around: Vec::new(),
            forms: 0,
            inputs: Vec::new(),
            boxes: Vec::new(),
            points: Vec::new(),
            magnification: 1000.0,
            unit: 1.0,
            offset: (0.0, 0.0),
        }
    }
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), &'static str> {
        if let Some(input) = line.strip_prefix("Input:") {
            return self.input(input);
        }
        match self.part {
            Part::Content => self.content(line),
            Part::Preamble if line == "Content:" => {
                self.part = Part::Content;
                Ok(())
            }
            Part::Preamble | Part::Postamble => self.setting(line),
        }
    }

    fn input(&mut self, input: &str) -> Result<(), &'static str> {
        let (tag, path) = input.split_once(':').ok_or(MALFORMED_INPUT)?;
        self.inputs.push((tag.parse().map_err(|_| MALFORMED_INPUT)?, path.to_owned()));
        Ok(())
    }

    fn setting(&mut self, line: &str) -> Result<(), &'static str> {
        let Some((key, value)) = line.split_once(':') else { return Ok(()) };
        let place = match key {
            "Magnification" => &mut self.magnification,
            "Unit" => &mut self.unit,
            "X Offset" => &mut self.offset.0,
            "Y Offset" => &mut self.offset.1,
            _ => return Ok(()),
        };
        let number: String =
            value.trim().chars().take_while(|sign| sign.is_ascii_digit() || "-.".contains(*sign)).collect();
        *place = number.parse().map_err(|_| "a number was expected")?;
        let is_size = matches!(key, "Magnification" | "Unit");
        if is_size && *place <= 0.0 { Err("a number above 0 was expected") } else { Ok(()) }
    }

    fn content(&mut self, line: &str) -> Result<(), &'static str> {
        let Some(sort) = line.chars().next() else { return Ok(()) };
        let rest = &line[sort.len_utf8()..];
        match sort {
            '{' => {
                self.page = rest.parse().map_err(|_| "the number of a page was expected")?;
                self.around.clear();
            }
            '<' => self.forms += 1,
            '>' => self.forms = self.forms.saturating_sub(1),
            '}' => self.page = 0,
            'P' => self.part = Part::Postamble,
            _ if self.page == 0 || self.forms > 0 => {}
            '[' => {
                self.record(rest)?;
                self.mark_frames();
                self.around.push(None);
            }
            '(' => self.open(rest)?,
            ']' | ')' => drop(self.around.pop().ok_or("a box is closed that was not open")?),
            'h' | 'v' | 'k' | 'g' | 'x' | '$' | 'r' => self.point(rest)?,
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, rest: &str) -> Result<(), &'static str> {
        let record = self.record(rest)?;
        let [width, height, depth] = record.size;
        let here = self.boxes.len();
        let outer = self.around.last().copied().flatten().map_or(here, |parent| self.boxes[parent].outer);
        let (x, width) = if width < 0 { (record.x.saturating_add(width), -width) } else { (record.x, width) };
        let Record { tag, line, y, .. } = record;
        self.boxes.push(Horizontal { page: self.page, tag, line, x, y, width, height, depth, frame: false, outer });
        self.around.push(Some(here));
        Ok(())
    }

    /// The horizontal boxes around a vertical one, up to the next vertical one.
    fn mark_frames(&mut self) {
        let around = self.around.iter().rev().map_while(|one| *one);
        for at in around {
            if std::mem::replace(&mut self.boxes[at].frame, true) {
                break;
            }
        }
    }

    fn point(&mut self, rest: &str) -> Result<(), &'static str> {
        let Record { tag, line, x, .. } = self.record(rest)?;
        if let Some(within) = self.around.last().copied().flatten() {
            self.points.push(Point { tag, line, x, within, weak: false });
        }
        Ok(())
    }

    /// Reads `tag,line[,column]:x,y[:width[,height,depth]]`; `=` for `y` is the `y` before.
    fn record(&mut self, text: &str) -> Result<Record, &'static str> {
        let mut parts = text.split(':');
        let mut link = parts.next().unwrap_or_default().split(',');
        let tag = link.next().and_then(|tag| tag.parse().ok()).ok_or("the number of a file was expected")?;
        let line = link.next().and_then(|line| line.parse().ok()).ok_or("the number of a line was expected")?;
        let (x, y) = parts.next().and_then(|point| point.split_once(',')).ok_or("a point was expected")?;
        let x = length(x)?;
        let y = if y == "=" { self.last_y } else { length(y)? };
        self.last_y = y;
        let mut size = [0; 3];
        for (place, part) in size.iter_mut().zip(parts.next().unwrap_or("0").split(',')) {
            *place = length(part)?;
        }
        Ok(Record { tag, line, x, y, size })
    }

    fn finished(mut self) -> SyncTex {
        self.weigh();
        let scale = self.unit * self.magnification / 1000.0 * SCALED_POINTS;
        let offset = (self.offset.0 * SCALED_POINTS, self.offset.1 * SCALED_POINTS);
        let complete = self.part == Part::Postamble;
        SyncTex { inputs: self.inputs, boxes: self.boxes, points: self.points, scale, offset, complete }
    }
}

impl Reader {
    /// Tells text from what TeX puts in when a paragraph or a page is ended: that has the line of its box. LuaTeX also writes
    /// points of files that are not there, and of lines that come only later.
    fn weigh(&mut self) {
        let known: BTreeSet<u32> = self.inputs.iter().map(|(tag, _)| *tag).collect();
        self.points.retain(|point| known.contains(&point.tag));
        let own = |one: &Horizontal, point: &Point| (one.tag, one.line) == (point.tag, point.line);
        let before = |one: &Horizontal, point: &Point| one.tag != point.tag || point.line < one.line;
        let mut mixed = vec![false; self.boxes.len()];
        for point in &self.points {
            mixed[point.within] |= before(&self.boxes[point.within], point);
        }
        for (one, mixed) in self.boxes.iter_mut().zip(&mixed) {
            one.frame &= !mixed;
        }
        for point in &mut self.points {
            let one = &self.boxes[point.within];
            let later = one.tag == point.tag && point.line > one.line;
            point.weak = later || (one.frame || mixed[point.within]) && own(one, point);
        }
    }
}

struct Record {
    tag: u32,
    line: u32,
    x: i64,
    y: i64,
    size: [i64; 3],
}

/// No page is larger than that many units; keeps sums from overflowing.
const LONGEST: i64 = 1 << 40;

fn length(text: &str) -> Result<i64, &'static str> {
    let length: i64 = text.parse().map_err(|_| "a length was expected")?;
    Ok(length.clamp(-LONGEST, LONGEST))
}
