//! Small files by hand, and any bytes. Real ones are in `tests/synctex.rs`.

use proptest::prelude::*;

use super::*;

const SMALL: &str = "SyncTeX Version:1\nInput:1:/a/./main.tex\nInput:2:/a/parts/two.tex\nOutput:pdf\nMagnification:1000\nUnit:1\nX Offset:0\nY Offset:0\nContent:\n!10\n{1\n[1,9:0,0:9,9,0\n(1,4:6578176,6578176:13156352,657818,0\nx1,3:6578176,6578176\nk2,1:13156352,=:5\n)\n(2,2:6578176,13156352:13156352,657818,0\ng2,2:6578176,13156352\n)\n]\n}1\nPostamble:\nCount:4\nPost scriptum:\n";

fn small() -> SyncTex {
    parse_synctex(SMALL).unwrap()
}

#[test]
fn a_line_is_found_on_its_page() {
    let found = small().areas("main.tex", 3);
    let expect = Area { page: 1, x: 100.0, y: 90.0, width: 200.0, height: 10.0 };
    let [area] = found[..] else { panic!("{found:?}") };
    assert!((area.x - expect.x).abs() < 0.01 && (area.y - expect.y).abs() < 0.01, "{area:?}");
    assert_eq!(small().areas("main.tex", 8), found, "the nearest line that is on a page");
    assert_eq!(small().areas("/a/main.tex", 3), found);
    assert_eq!(small().areas("ain.tex", 3), []);
    assert_eq!(small().areas("parts/two.tex", 2).len(), 1);
}

#[test]
fn sizes_are_above_nothing() {
    for wrong in ["Unit:-1", "Unit:0"] {
        assert!(parse_synctex(&SMALL.replace("Unit:1", wrong)).is_err(), "{wrong}");
    }
    assert!(parse_synctex(&SMALL.replace("Magnification:1000", "Magnification:-1")).is_err());
}

#[test]
fn a_line_without_text_is_answered_by_the_one_behind() {
    let two = SMALL.replace("k2,1:", "k1,5:");
    let found = parse_synctex(&two).unwrap();
    assert_eq!(found.areas("main.tex", 4), found.areas("main.tex", 5));
    assert_eq!(found.areas("main.tex", 9), found.areas("main.tex", 5));
}

#[test]
fn what_tex_wrote_when_a_paragraph_ended_counts_little() {
    let ended = SMALL.replace("(1,4:", "(1,9:").replace("x1,3:", "x1,9:").replace("k2,1:", "k1,3:");
    let found = parse_synctex(&ended).unwrap();
    assert_eq!(found.source(1, 101.0, 95.0).map(|place| place.line), Some(3));
    assert_eq!(found.areas("main.tex", 9), found.areas("main.tex", 3));
}

#[test]
fn a_point_is_found_in_its_source() {
    let place = |file: &str, line| Some(SourcePlace { file: format!("/a/{file}"), line });
    assert_eq!(small().source(1, 101.0, 95.0), place("main.tex", 3));
    assert_eq!(small().source(1, 220.0, 95.0), place("parts/two.tex", 1));
    assert_eq!(small().source(1, 101.0, 400.0), place("parts/two.tex", 2), "the nearest box");
    assert_eq!(small().source(2, 101.0, 95.0), None);
    assert!(small().source(1, f64::NAN, f64::INFINITY).is_some());
}

#[test]
fn between_the_lines_of_a_column_the_nearest_line_answers() {
    let column = SMALL.replace(
        "[1,9:0,0:9,9,0\n",
        "(1,9:0,65781760:65781760,65781760,0\nk1,9:0,0\n(1,9:0,65781760:65781760,65781760,0\n[1,9:0,0:9,9,0\n",
    );
    let found = parse_synctex(&column.replace("\n]\n", "\n]\n)\n)\n")).unwrap();
    assert_eq!(found.source(1, 101.0, 105.0).map(|place| place.line), Some(3));
}

#[test]
fn what_is_no_synctex_is_told() {
    let error = |text: &str| parse_synctex(text).err();
    assert_eq!(error(""), Some(SyncTexError::NotSyncTex));
    assert_eq!(error("SyncTeX Version:2\n"), Some(SyncTexError::Version("2".to_owned())));
    let broken = SMALL.replace("x1,3:6578176,6578176", "x1,3:6578176");
    assert_eq!(error(&broken), Some(SyncTexError::Malformed(14, "a point was expected")));
    let closed = SMALL.replace("]\n", "]\n]\n");
    assert!(matches!(error(&closed), Some(SyncTexError::Malformed(21, _))));
}

#[test]
fn a_file_cut_short_is_read_as_far_as_it_goes() {
    let end = SMALL.find("g2,2:65").unwrap() + 5;
    let found = parse_synctex(&SMALL[..end]).unwrap();
    assert!(!found.complete && small().complete);
    assert_eq!(found.areas("main.tex", 3), small().areas("main.tex", 3));
}

proptest! {
    #[test]
    fn any_change_is_read_or_told(at in 0..SMALL.len(), with in "[\\x00-\\x7f]{0,4}", page in 0_u32..3, x in any::<f64>(), y in any::<f64>()) {
        let text = format!("{}{with}{}", &SMALL[..at], &SMALL[at..]);
        if let Ok(found) = parse_synctex(&text) {
            found.areas("main.tex", 3);
            found.source(page, x, y);
        }
    }

    #[test]
    fn any_text_is_read_or_told(text in any::<String>()) {
        let _ = parse_synctex(&text);
        let _ = parse_synctex(&format!("SyncTeX Version:1\nContent:\n{{1\n{text}"));
    }
}
