//! The two questions: where is this line, and which line is here.

use super::{Area, Horizontal, Point, SourcePlace, SyncTex};

impl SyncTex {
    /// The files that were read, as TeX named them.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().map(|(_, path)| path.as_str())
    }

    /// The lines of text on the pages that come from a line of a file, each once, in the order of the pages. A line that put
    /// nothing on a page is answered by the nearest one that did, the later of two. `file` is a path as TeX named it, or its end.
    pub fn areas(&self, file: &str, line: u32) -> Vec<Area> {
        let tags = self.tags(file);
        let of_file = || self.points.iter().filter(|point| tags.contains(&point.tag));
        let distance = |point: &&Point| (point.weak, point.line.abs_diff(line), point.line < line);
        let Some(nearest) = of_file().min_by_key(distance) else { return Vec::new() };
        let is_nearest = |point: &&Point| (point.line, point.weak) == (nearest.line, nearest.weak);
        let mut boxes: Vec<usize> = of_file().filter(is_nearest).map(|point| self.boxes[point.within].outer).collect();
        boxes.sort_unstable();
        boxes.dedup();
        boxes.sort_by_key(|&at| (self.boxes[at].page, self.boxes[at].y));
        boxes.into_iter().map(|at| self.area(&self.boxes[at])).collect()
    }

    /// The source of what is at a point of a page, in big points from the upper left corner. None on an empty page.
    pub fn source(&self, page: u32, x: f64, y: f64) -> Option<SourcePlace> {
        let on_page = || self.boxes.iter().enumerate().filter(|(_, one)| one.page == page);
        let rank = |one: &Horizontal| {
            let area = self.area(one);
            (one.frame, area.distance(x, y), area.width * area.height)
        };
        let by_rank = |(_, one): &(usize, &Horizontal), (_, other): &(usize, &Horizontal)| {
            let (one, other) = (rank(one), rank(other));
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).then(one.2.total_cmp(&other.2))
        };
        let (at, found) = on_page().min_by(by_rank)?;
        let units = ((x - self.offset.0) / self.scale) as i64;
        let within = self.points.iter().filter(|point| point.within == at);
        let nearest = within.min_by_key(|point| (point.weak, point.x.abs_diff(units)));
        let (tag, line) = nearest.map_or((found.tag, found.line), |point| (point.tag, point.line));
        let file = self.inputs.iter().find(|(number, _)| *number == tag).map(|(_, path)| plain(path))?;
        Some(SourcePlace { file, line })
    }

    /// The numbers of a file: those of the very path, else of paths that end in it.
    fn tags(&self, file: &str) -> Vec<u32> {
        let file = plain(file);
        let file = file.strip_prefix("./").unwrap_or(&file);
        let exact = |path: &str| path == file;
        let ending = |path: &str| path.strip_suffix(file).is_some_and(|rest| rest.ends_with('/'));
        let numbers = |fits: &dyn Fn(&str) -> bool| -> Vec<u32> {
            self.inputs.iter().filter(|(_, path)| fits(&plain(path))).map(|(tag, _)| *tag).collect()
        };
        Some(numbers(&exact)).filter(|found| !found.is_empty()).unwrap_or_else(|| numbers(&ending))
    }

    fn area(&self, one: &Horizontal) -> Area {
        let (x, y) = (one.x as f64 * self.scale, (one.y - one.height) as f64 * self.scale);
        Area {
            page: one.page,
            x: x + self.offset.0,
            y: y + self.offset.1,
            width: one.width as f64 * self.scale,
            height: (one.height + one.depth) as f64 * self.scale,
        }
    }
}

impl Area {
    /// How far a point is from it; 0 within.
    fn distance(&self, x: f64, y: f64) -> f64 {
        let beside = (self.x - x).max(x - self.x - self.width).max(0.0);
        let above = (self.y - y).max(y - self.y - self.height).max(0.0);
        beside.hypot(above)
    }
}

/// A path without `/./` and with one kind of slash.
fn plain(path: &str) -> String {
    path.replace('\\', "/").replace("/./", "/")
}
