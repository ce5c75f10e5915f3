//! Both questions, on files that TeX wrote, against the answers of TeX Live's `synctex`; made by `corpus/synctex.py`.

use std::path::Path;

use aside_latex::{Area, SyncTex, parse_synctex};

#[allow(clippy::disallowed_methods, reason = "the corpus is on disk")]
fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/synctex").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

/// One of our lines of text is on the page, and has the height, that the program names first.
fn same_place(document: &SyncTex, file: &str, line: u32, page: u32, bottom: f64) -> bool {
    let near = |area: &Area| area.page == page && (area.y - 3.0..=area.y + area.height + 3.0).contains(&bottom);
    document.areas(file, line).iter().any(near)
}

/// Every line of text. Between them any answer is as good as another.
fn lines_of_text(document: &SyncTex) -> Vec<Area> {
    let lines = (1..120).flat_map(|line| ["main.tex", "parts/two.tex"].map(|file| (file, line)));
    let mut found: Vec<Area> = lines.flat_map(|(file, line)| document.areas(file, line)).collect();
    found.dedup();
    found
}

fn on_text(text: &[Area], page: u32, x: f64, y: f64) -> bool {
    let within = |area: &Area| {
        let wide = (area.x..=area.x + area.width).contains(&x);
        area.page == page && wide && (area.y..=area.y + area.height).contains(&y)
    };
    text.iter().any(within)
}

/// The same file, and the same line or the next: at the end of one source line the two answers differ by a word.
fn same_source(document: &SyncTex, page: u32, x: f64, y: f64, file: &str, line: u32) -> bool {
    document.source(page, x, y).is_some_and(|place| place.file.ends_with(file) && place.line.abs_diff(line) <= 1)
}

/// Per cent of the program's answers that are ours.
fn agreement(engine: &str, question: &str) -> f64 {
    let document = parse_synctex(&read(&format!("{engine}.synctex"))).expect("TeX wrote it");
    assert!(document.complete && document.files().any(|file| file.ends_with("parts/two.tex")));
    let text = lines_of_text(&document);
    let (mut asked, mut same) = (0_u32, 0_u32);
    for row in read(&format!("{engine}.tsv")).lines().filter(|row| row.starts_with(question)) {
        let cells: Vec<&str> = row.split('\t').collect();
        let number = |at: usize| cells[at].parse::<f64>().expect("a number");
        let agrees = match question {
            "view" => same_place(&document, cells[1], number(2) as u32, number(3) as u32, number(5)),
            _ => same_source(&document, number(1) as u32, number(2), number(3), cells[4], number(5) as u32),
        };
        if question == "edit" && !on_text(&text, number(1) as u32, number(2), number(3)) {
            continue;
        }
        asked += 1;
        same += u32::from(agrees);
        if !agrees {
            println!("{engine}: {row}");
        }
    }
    assert!(asked > 40);
    100.0 * f64::from(same) / f64::from(asked)
}

/// LuaTeX also writes points of lines that come only later. The program follows them to a wrong place; we don't.
#[test]
fn answers_as_the_program_does() {
    for engine in ["pdflatex", "xelatex", "lualatex"] {
        let (view, edit) = (agreement(engine, "view"), agreement(engine, "edit"));
        println!("{engine}: from the source {view:.1} %, from the page {edit:.1} % as `synctex` answers");
        assert!(view >= 90.0 && edit >= 98.0, "{engine}: {view:.1} % and {edit:.1} %");
    }
}
