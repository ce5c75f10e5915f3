//! Prints how long it takes to plan one edit of a 10 MB text, as lines of `name<TAB>milliseconds` (medians).

use std::time::Instant;

use aside_core::Version;
use aside_doc::{AnchoredEdit, BaseText, TextDocument, plan};

const LINES: usize = 200_000;
const RUNS: usize = 21;

fn main() {
    let text: String = (0..LINES)
        .map(|line| format!("    value_{line:06} = compute({line}, \"some text\")  # {}\n", line % 97))
        .collect();
    let version = Version::of(&text);
    let middle = LINES / 2;
    let old = || text.lines().skip(middle).take(3).map(|line| format!("{line}\n")).collect::<String>();
    let new = old().replace("compute", "recompute");
    let number = |line: usize| u32::try_from(line).ok();
    let named = AnchoredEdit { start: number(middle + 1), end: number(middle + 3), old: Some(old()), new: new.clone() };
    let unnamed = AnchoredEdit { start: None, end: None, ..named.clone() };
    let outdented = AnchoredEdit {
        old: Some(old().replace("    value", "value")),
        new: new.replace("    value", "value"),
        ..unnamed.clone()
    };
    let absent = AnchoredEdit { old: Some("    value_x = compute(1)\n".to_owned()), ..unnamed.clone() };
    let later = text.replacen("value_000001", "changed", 1).replacen("value_199998", "changed", 1);
    let later_version = Version::of(&later);

    let now = BaseText { version: version.clone(), text: &text };
    measure("plan: named lines, current version", || {
        plan(&text, &version, Some(&now), std::slice::from_ref(&named)).is_ok()
    });
    measure("plan: search, no version", || plan(&text, &version, None, std::slice::from_ref(&unnamed)).is_ok());
    measure("plan: search, outdented", || plan(&text, &version, None, std::slice::from_ref(&outdented)).is_ok());
    measure("plan: no match, closest lines", || plan(&text, &version, None, std::slice::from_ref(&absent)).is_err());
    measure("plan: named lines, earlier version", || {
        plan(&later, &later_version, Some(&now), std::slice::from_ref(&named)).is_ok()
    });

    let planned = plan(&text, &version, Some(&now), &[named]).expect("the lines are there");
    let mut document = TextDocument::from_text(&text);
    measure("live text: apply the plan and back", || {
        document.apply(&planned.splices, "bench").is_some() && document.replace_text(&text, "bench").is_some()
    });
}

fn measure(name: &str, mut run: impl FnMut() -> bool) {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            assert!(run(), "{name}");
            start.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{name}\t{:.2}", times[RUNS / 2]);
}
