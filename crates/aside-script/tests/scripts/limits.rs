//! The limits: none is catchable, and none harms the process.

use std::time::{Duration, Instant};

use aside_script::*;
use serde_json::{Value, json};

use crate::host::*;

fn limits() -> ScriptLimits {
    ScriptLimits { compute: Duration::from_millis(300), memory: 16 << 20, ..ScriptLimits::default() }
}

/// Runs a script under small limits and returns the code of its end with the names of its calls.
fn ended(source: &str, limits: &ScriptLimits) -> (String, Vec<String>) {
    let host = MemoryHost::default();
    let begun = Instant::now();
    let outcome = run_with(&host, source, &json!({}), limits, &[start()]);
    assert!(begun.elapsed() < Duration::from_secs(20), "{source}");
    (outcome.result.expect_err(source).code, host.call_names())
}

#[test]
fn endless_loops_end_uncaught() {
    for source in [
        "while (true) {}",
        "try { while (true) {} } catch { await aside.file.create({ path: 'a' }) }",
        "try { while (true) {} } finally { while (true) { aside.file.create({ path: 'a' }) } }",
        "const again = (): void => { Promise.resolve().then(again) }; again(); await new Promise(() => {});",
        "for (;;) await null;",
        "const f = async () => { for (;;) {} }; f().catch(() => 1).finally(() => aside.file.create({ path: 'a' })); await aside.file.create({ path: 'b' });",
        "await aside.file.read({ get path() { for (;;) {} } } as any);",
        "return { toJSON() { for (;;) {} } };",
        "throw { get message() { for (;;) {} }, toJSON() { for (;;) {} } };",
        "throw Object.defineProperty(new Error(), 'stack', { get() { for (;;) {} } });",
        "console.log({ toJSON() { for (;;) {} } });",
        "return new Proxy({}, { ownKeys() { for (;;) {} } });",
        "return /^(a+)+$/.test('a'.repeat(40) + 'b');",
        "return [1, 2].sort(() => { for (;;) {} });",
        "const o: any = { [Symbol.iterator]: Object.prototype.valueOf, next: Object.prototype.valueOf }; return new Set(o).size;",
        "return new Array(4294967295).indexOf(1);",
        "return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1);",
        "function* g() { for (;;) yield 1 } for (const x of g()) ;",
        "new Promise(() => { for (;;) {} });",
        "class A { static { for (;;) {} } }",
    ] {
        assert_eq!(ended(source, &limits()), ("time_limit".to_owned(), Vec::new()), "{source}");
    }
}

#[test]
fn memory_bombs_end_uncaught() {
    for source in [
        "const hoard: string[] = []; try { for (let i = 0; ; i++) hoard.push('x'.repeat(100000) + i) } catch { return 'caught' }",
        "const hoard: unknown[] = []; try { for (;;) hoard.push({ a: [1, 2, 3] }) } catch { await aside.file.create({ path: 'a' }) }",
        "try { 'x'.repeat(2 ** 29) } catch { return 1 }",
        "try { new Array(2 ** 24).fill(0) } catch { return 1 }",
        "try { new Uint8Array(2 ** 26) } catch { return 1 }",
        "let text = 'ab'; try { for (;;) text = text.replaceAll('a', text) } catch { return 1 }",
        "const map = new Map(); try { for (let i = 0; ; i++) map.set(i, i) } catch { return 1 }",
        "const f = async (): Promise<unknown> => { const a = []; for (;;) a.push(new Array(100).fill({})) }; try { await f() } catch { return 1 }",
        "const all: unknown[] = []; try { for (;;) all.push(Promise.resolve()) } catch { return 1 }",
        "let s = 'x'; try { for (;;) s += s } catch {} return s.indexOf('y');",
    ] {
        let limits = ScriptLimits { compute: Duration::from_secs(10), ..limits() };
        let (code, calls) = ended(source, &limits);
        assert!(calls.is_empty() && (code == "memory_limit"), "{source}: {code}");
    }
}

#[test]
fn arguments_under_way_count_as_memory() {
    let source = "const text = 'x'.repeat(1000000); for (let i = 0; i < 100; i++) aside.never.ends({ text, i });";
    let limits = ScriptLimits { compute: Duration::from_secs(10), ..limits() };
    assert_eq!(ended(source, &limits).0, "memory_limit");
}

#[test]
fn recursion_is_a_catchable_error() {
    let source = r#"
const deep = (n: number): number => 1 + deep(n + 1);
const deepAsync = async (n: number): Promise<number> => 1 + await deepAsync(n + 1);
const proxy: any = new Proxy({}, { get(target, key, receiver) { return receiver[key] } });
const names: string[] = [];
for (const way of [() => deep(0), () => proxy.a, () => { const o: any = { toString() { return `${o}` } }; return `${o}` }, () => [1].map(function f(): any { return [1].map(f) }),
  () => JSON.parse("[".repeat(500000)), () => { let r: any = []; for (let i = 0; i < 500000; i++) r = [r]; return String(r.flat(Infinity).length) }]) {
  try { await way(); names.push("none") } catch (error) { names.push(error.name) }
}
try { await deepAsync(0); names.push("none") } catch (error) { names.push(error.name) }
return names;"#;
    let names: Vec<String> = serde_json::from_value(result(source)).unwrap();
    assert!(names[..4].iter().all(|name| matches!(name.as_str(), "RangeError" | "InternalError")), "{names:?}");
    assert!(matches!(names[6].as_str(), "RangeError" | "InternalError"), "{names:?}");
}

#[test]
fn calls_over_the_limit_end_the_run() {
    let limits = ScriptLimits { calls: 5, ..ScriptLimits::default() };
    let source = "try { for (;;) await aside.test.slow({}) } catch { await aside.file.create({ path: 'a' }) } finally { return 1 }";
    let (code, calls) = ended(source, &limits);
    assert_eq!((code.as_str(), calls.len()), ("too_many_calls", 5));
    assert!(ended("for (;;) await aside.sleep(1);", &limits).0 == "too_many_calls");
    assert!(ended("for (;;) aside.never.ends({});", &limits).0 == "too_many_calls");
}

#[test]
fn clock_limit_stops_the_call_under_way() {
    let limits = ScriptLimits { wall: Duration::from_millis(200), ..ScriptLimits::default() };
    assert_eq!(ended("try { await aside.never.ends({}) } catch { return 1 }", &limits).0, "time_limit");
}

#[test]
fn waiting_for_a_person_counts_toward_no_limit() {
    let limits = ScriptLimits {
        wall: Duration::from_millis(300),
        compute: Duration::from_millis(200),
        ..ScriptLimits::default()
    };
    let outcome = run_with(
        &MemoryHost::default(),
        "return (await aside.person.asks({ a: 1 })).data;",
        &json!({}),
        &limits,
        &[start()],
    );
    assert_eq!(outcome.result, Ok(json!({"a": 1})));
    assert!(outcome.computed < Duration::from_secs(1));
}

#[test]
fn end_of_the_grant_is_not_catchable() {
    let source = "try { await aside.grant.end({}) } catch { await aside.file.create({ path: 'a' }) }";
    assert_eq!(ended(source, &limits()), ("not_granted".to_owned(), vec!["grant.end".to_owned()]));
}

#[test]
fn journal_that_cannot_be_stored_ends_the_run() {
    let host = MemoryHost { most_entries: Some(2), ..MemoryHost::default() };
    let source = "await aside.test.slow({}); try { await aside.file.create({ path: 'a' }) } catch { return 1 }";
    let outcome = run_with(&host, source, &json!({}), &ScriptLimits::default(), &[start()]);
    assert_eq!(outcome.result.expect_err("fails").code, "journal_failed");
    assert_eq!(host.call_names(), ["test.slow"]);
}

/// Cancels a run as soon as it has made a call.
async fn cancelled(host: &MemoryHost, source: &str) -> ScriptOutcome {
    let (program, actions, cancel) = (compile(source).unwrap(), ACTIONS.map(str::to_owned), CancelHandle::default());
    let (journal, limits, args) = ([start()], ScriptLimits::default(), Value::Null);
    let script = Script { program: &program, args: &args, actions: &actions, journal: &journal };
    let watch = async {
        while host.calls.lock().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
        std::future::pending::<()>().await
    };
    tokio::select! { outcome = run(script, host, &limits, &cancel) => outcome, () = watch => unreachable!("the watch never ends") }
}

#[test]
fn cancelled_run_ends_at_once() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    for source in [
        "try { await aside.never.ends({}) } catch { await aside.file.create({ path: 'a' }) }",
        "aside.never.ends({}); await null; for (;;) await null;",
        "aside.never.ends({}); for (;;) {}",
    ] {
        let host = MemoryHost::default();
        let outcome = runtime.block_on(cancelled(&host, source));
        assert_eq!(outcome.result.expect_err(source).code, "cancelled", "{source}");
        assert_eq!(host.call_names(), ["never.ends"], "{source}");
    }
}

#[test]
fn fresh_engines_end_cleanly() {
    for _ in 0..50 {
        assert_eq!(result("return 1 + 1;"), json!(2));
    }
}
