//! Journal and replay.

use aside_script::*;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::host::*;

fn replay(source: &str, journal: &[JournalEntry]) -> (ScriptOutcome, MemoryHost) {
    let host = MemoryHost::default();
    let outcome = run_with(&host, source, &json!({}), &ScriptLimits::default(), journal);
    (outcome, host)
}

fn first_run(source: &str) -> (ScriptOutcome, Vec<JournalEntry>) {
    let (outcome, host) = replay(source, &[start()]);
    (outcome, host.entries())
}

const DETERMINISTIC: &str = r#"
const before = [Date.now(), new Date().getTime(), performance.now(), Math.random(), Math.random()];
await aside.test.slow({ turns: 1 });
await aside.sleep(5);
return [before, Date.now(), performance.now(), Math.random(), new Date(2020, 1, 2).getFullYear(), typeof Date(), new Date("2020-01-01").toISOString(),
  Object.getPrototypeOf(new (class extends Date {})()).constructor.name, new Date() instanceof Date, new Date(0).constructor === Date];"#;

#[test]
fn clock_and_random_numbers_come_from_the_journal() {
    let (outcome, journal) = first_run(DETERMINISTIC);
    let value = outcome.result.clone().expect("runs");
    let start = 1_700_000_000_000_i64;
    assert_eq!(value[0].as_array().unwrap()[..3], [json!(start), json!(start), json!(0)]);
    assert_eq!((&value[1], &value[2]), (&json!(1_800_000_000_010_i64), &json!(100_000_000_010_i64)));
    assert_eq!(
        value.as_array().unwrap()[4..],
        [json!(2020), json!("string"), json!("2020-01-01T00:00:00.000Z"), json!(""), json!(true), json!(true)]
    );
    let random = value[0][3].as_f64().unwrap();
    assert!((0.0..1.0).contains(&random) && value[0][3] != value[0][4] && value[0][4] != value[3]);
    let (again, host) = replay(DETERMINISTIC, &journal);
    assert_eq!((again.result, host.call_names().len()), (outcome.result, 0));
    let other = replay(DETERMINISTIC, &[JournalEntry::Start { seed: 43, at: start }]).0.result.expect("runs");
    assert_ne!(other[0][3], value[0][3]);
}

#[test]
fn half_a_journal_goes_on_where_it_stopped() {
    let source = "for (const path of ['a', 'b', 'c']) await aside.file.create({ path });\nreturn 'all';";
    let (_, journal) = first_run(source);
    // The start, `a` whole, `b` whole.
    let (outcome, host) = replay(source, &journal[..5]);
    assert_eq!((outcome.result, outcome.calls), (Ok(json!("all")), 3));
    assert_eq!(host.calls.lock().unwrap().as_slice(), [(3, "file.create".to_owned(), json!({"path": "c"}))]);
    assert_eq!(host.journal.lock().unwrap().len(), 2);
}

#[test]
fn call_without_end_is_reported_and_not_repeated() {
    let source = "try { await aside.file.create({ path: 'a' }) } catch (error) { return error.code }";
    let (_, journal) = first_run(source);
    let (outcome, host) = replay(source, &journal[..2]);
    assert_eq!((outcome.result, host.call_names().len()), (Ok(json!("interrupted")), 0));
    assert_eq!(*host.interrupted.lock().unwrap(), [1]);
    // Its end is in the journal now, and the beginning is not there twice.
    assert!(matches!(host.journal.lock().unwrap().as_slice(), [JournalEntry::Ended { result: Err(_), .. }]));
}

#[test]
fn interrupted_sleep_sleeps_again() {
    let (_, journal) = first_run("await aside.sleep(5); return 1;");
    assert_eq!(replay("await aside.sleep(5); return 1;", &journal[..2]).0.result, Ok(json!(1)));
}

#[test]
fn divergence_is_an_error_and_never_a_call() {
    let (_, journal) = first_run("await aside.file.create({ path: 'a' }); await aside.file.create({ path: 'b' });");
    for source in [
        "try { await aside.file.create({ path: 'other' }) } catch { } await aside.file.create({ path: 'c' });",
        "try { await aside.file.copy({ path: 'a' }) } catch { return 1 }",
        "await aside.file.create({ path: 'a' }); return 1;",
        "return 1;",
        "aside.file.create({ path: 'a' }); aside.file.create({ path: 'c' });",
    ] {
        let (outcome, host) = replay(source, &journal);
        assert_eq!(
            (outcome.result.expect_err(source).code.as_str(), host.call_names().len()),
            ("diverged", 0),
            "{source}"
        );
    }
}

#[test]
fn race_has_the_same_winner() {
    let source = "const first = await Promise.race([9, 0, 4].map(async (turns) => (await aside.test.slow({ turns })).data.turns)); return [first, Date.now()];";
    let (outcome, mut journal) = first_run(source);
    let (again, host) = replay(source, &journal);
    assert_eq!((again.result, host.call_names().len()), (outcome.result, 0));
    // The recorded order decides: with the end of the third call first, that call wins.
    journal.sort_by_key(|entry| match entry {
        JournalEntry::Start { .. } => 0,
        JournalEntry::Begun { .. } => 1,
        JournalEntry::Ended { number, .. } => 10 - number.0,
    });
    assert_eq!(replay(source, &journal).0.result.expect("runs")[0], json!(4));
}

#[test]
fn journal_that_is_none_is_refused() {
    assert_eq!(replay("return 1;", &[]).0.result.expect_err("no start").code, "bad_journal");
}

/// A step of a random program.
#[derive(Clone, Debug)]
enum Step {
    Call(u8),
    Fail,
    All(Vec<u8>),
    Race(Vec<u8>),
    Sleep,
    Print,
    Float(u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..6_u8).prop_map(Step::Call),
        Just(Step::Fail),
        prop::collection::vec(0..6_u8, 1..5).prop_map(Step::All),
        prop::collection::vec(0..6_u8, 1..5).prop_map(Step::Race),
        Just(Step::Sleep),
        Just(Step::Print),
        (0..6_u8).prop_map(Step::Float),
    ]
}

fn program(steps: &[Step]) -> String {
    let mut source = "const log: unknown[] = [];\nconst call = async (turns: number) => (await aside.test.slow({ turns, seen: log.length })).data;\n".to_owned();
    for step in steps {
        source.push_str(&match step {
            Step::Call(turns) => format!("log.push(await call({turns}));\n"),
            Step::Fail => "try { await aside.test.throws({}) } catch (error) { log.push(error.code) }\n".to_owned(),
            Step::All(all) => format!("log.push(await Promise.all({all:?}.map(call)));\n"),
            Step::Race(all) => format!("log.push(await Promise.race({all:?}.map(call)));\n"),
            Step::Sleep => "await aside.sleep(1); log.push(Date.now());\n".to_owned(),
            Step::Print => "console.log(Math.random(), log.length, Date.now());\n".to_owned(),
            Step::Float(turns) => format!("call({turns}).then((data) => log.push(data));\n"),
        });
    }
    source + "return log;"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn replay_of_a_run_is_equal(steps in prop::collection::vec(step(), 0..10), cut in 0..100_usize) {
        let source = program(&steps);
        let (outcome, journal) = first_run(&source);
        prop_assert!(outcome.result.is_ok(), "{:?}", outcome.result);
        let (again, host) = replay(&source, &journal);
        prop_assert_eq!((&again.result, &again.console, again.calls), (&outcome.result, &outcome.console, outcome.calls));
        prop_assert!(host.call_names().is_empty() && host.journal.lock().unwrap().is_empty());
        // From any prefix the run goes on, and its calls before the cut are the same.
        let kept = 1 + cut % journal.len();
        let (half, host) = replay(&source, &journal[..kept]);
        let whole = [&journal[..kept], host.journal.lock().unwrap().as_slice()].concat();
        let (last, host) = replay(&source, &whole);
        prop_assert_eq!((&last.result, last.calls), (&half.result, half.calls));
        prop_assert!(host.call_names().is_empty());
    }
}

#[test]
fn journal_survives_its_way_through_json() {
    let (outcome, journal) = first_run(DETERMINISTIC);
    let stored: Vec<Value> = journal.iter().map(|entry| serde_json::to_value(entry).unwrap()).collect();
    let journal: Vec<JournalEntry> = stored.into_iter().map(|entry| serde_json::from_value(entry).unwrap()).collect();
    assert_eq!(replay(DETERMINISTIC, &journal).0.result, outcome.result);
}
