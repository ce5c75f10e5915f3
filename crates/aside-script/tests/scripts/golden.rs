//! The rules of the script language.

use aside_script::*;
use serde_json::json;

use crate::host::*;

#[test]
fn calls_return_observations() {
    let host = MemoryHost::with_files(&[("config.toml", "a = 1\n")]);
    let source = r#"
const listed = await aside.file.list({});
const there = listed.data.entries.some((entry: { path: string }) => entry.path === "config.toml");
if (there) await aside.file.copy({ from: "config.toml", to: "copy.toml" });
return [listed.ok, listed.text, there, aside.ui.tabs.close.name];"#;
    let outcome = run_with(&host, source, &json!({}), &ScriptLimits::default(), &[start()]);
    assert_eq!(outcome.result, Ok(json!([true, "file.list", true, "close"])));
    assert_eq!((outcome.calls, host.files.lock().unwrap()["copy.toml"].as_str()), (2, "a = 1\n"));
}

#[test]
fn parallel_calls_all_end() {
    let host = MemoryHost::with_files(&[("a", "1"), ("b", "2"), ("c", "4")]);
    let source = r#"
const texts = await Promise.all(["a", "b", "c"].map(async (path) => Number((await aside.file.read({ path })).data.text)));
return texts.reduce((x, y) => x + y, 0);"#;
    assert_eq!(run_with(&host, source, &json!({}), &ScriptLimits::default(), &[start()]).result, Ok(json!(7)));
}

#[test]
fn aside_error_can_be_caught() {
    let source = r#"
try { await aside.file.read({ path: "none" }); } catch (error) {
  return [error.name, error.code, error.message, error.hint, error instanceof AsideError, error instanceof Error];
}"#;
    assert_eq!(
        result(source),
        json!(["AsideError", "not_found", "There is no such file", "List the folder.", true, true])
    );
}

#[test]
fn uncaught_aside_error_names_line_and_action() {
    let error = error("const a = 1;\n\nawait aside.file.read({ path: 'none' });");
    assert_eq!(
        (error.code.as_str(), error.line, error.action_type.as_deref()),
        ("not_found", Some(3), Some("file.read"))
    );
    assert_eq!(error.hint.as_deref(), Some("List the folder."));
}

#[test]
fn other_errors_are_script_errors_with_line() {
    let error = error("interface A {\n  b: string\n}\nconst c: any = undefined;\nreturn c.d;");
    assert_eq!((error.code.as_str(), error.line, error.action_type), ("script_error", Some(5), None));
    for (thrown, words) in [
        ("null", "null"),
        ("'a'", "a"),
        ("{ b: 1 }", r#"{"b":1}"#),
        ("new RangeError('c')", "RangeError: c"),
        ("Symbol('d')", "Symbol(d)"),
    ] {
        let error = outcome(&format!("throw {thrown};")).result.expect_err(thrown);
        assert_eq!((error.code.as_str(), error.message.as_str()), ("script_error", words));
    }
}

#[test]
fn unawaited_call_ends_before_the_run() {
    let host = MemoryHost::default();
    let outcome = run_with(
        &host,
        "aside.file.create({ path: 'a', text: 'b' }); return 1;",
        &json!({}),
        &ScriptLimits::default(),
        &[start()],
    );
    assert_eq!((outcome.result, host.files.lock().unwrap()["a"].as_str()), (Ok(json!(1)), "b"));
}

#[test]
fn unhandled_rejection_fails_the_run() {
    assert_eq!(error("aside.test.throws({}); return 1;").code, "denied");
    assert_eq!(
        result("const p = aside.test.throws({}); await aside.sleep(1); try { await p } catch { return 2 }"),
        json!(2)
    );
}

#[test]
fn promise_that_never_settles_ends_the_run() {
    assert!(error("await new Promise(() => {});").message.contains("promise"));
}

#[test]
fn result_is_what_json_makes_of_it() {
    assert_eq!(result(""), json!(null));
    assert_eq!(
        result("return { a: undefined, b: [undefined, () => 1], c: new Date(0), d: NaN };"),
        json!({"b": [null, null], "c": "1970-01-01T00:00:00.000Z", "d": null})
    );
    assert_eq!(result("return '🌊'.slice(0, 1) + '🌊';"), json!("\u{fffd}🌊"));
}

#[test]
fn bad_results_have_their_code() {
    for source in [
        "const a: any = {}; a.a = a; return a;",
        "return 1n;",
        "return 'x'.repeat(300000);",
        "return { toJSON() { throw new Error('no') } };",
        "let a: any = []; for (let i = 0; i < 100000; i++) a = [a]; return a;",
    ] {
        assert_eq!(error(source).code, "bad_result", "{source}");
    }
}

#[test]
fn args_are_frozen_input() {
    let source = "try { args.list.push(2) } catch { args = 1 } return args;";
    let host = MemoryHost::default();
    let failed = run_with(&host, source, &json!({"list": [1]}), &ScriptLimits::default(), &[start()]);
    assert_eq!(failed.result.expect_err("args is constant").code, "script_error");
    let kept = run_with(
        &host,
        "try { args.list.push(2) } catch { return args }",
        &json!({"list": [1]}),
        &ScriptLimits::default(),
        &[start()],
    );
    assert_eq!(kept.result, Ok(json!({"list": [1]})));
}

#[test]
fn aside_is_frozen() {
    let source = r#"
const tried: string[] = [];
for (const way of [() => { (aside as any).file = 1 }, () => { (aside.file as any).read = 1 }, () => { delete (aside as any).file },
  () => { (globalThis as any).aside = 1 }, () => { (aside.file.read as any).call2 = 1 }, () => { Object.setPrototypeOf(aside.file, {}) }]) {
  try { way(); tried.push("changed") } catch (error) { tried.push(error.name) }
}
return [tried, typeof (aside as any).file.nothing, typeof (aside as any).toString];"#;
    assert_eq!(
        result(source),
        json!([
            ["TypeError", "TypeError", "TypeError", "TypeError", "TypeError", "TypeError"],
            "undefined",
            "undefined"
        ])
    );
}

#[test]
fn console_keeps_beginning_and_end() {
    let outcome = outcome(
        "for (let i = 0; i < 20000; i++) console.log(`line ${i}`); console.warn({ a: [1] }, null, Symbol('b'), new Error('c'));",
    );
    assert!(outcome.console.truncated && outcome.console.text.len() <= 65_536);
    assert!(outcome.console.text.starts_with("line 0\nline 1\n"));
    assert!(outcome.console.text.ends_with("line 19999\n{\"a\":[1]} null Symbol(b) Error: c\n"));
}

#[test]
fn unicode_stays_as_it_is() {
    let host = MemoryHost::default();
    let source =
        "for (const name of ['résumé', '数据', '🌊']) await aside.file.create({ path: name, text: `«${name}» ✓` });
const read = (await aside.file.read({ path: '🌊' })).data.text; return [read.length, [...read].length, read];";
    let outcome = run_with(&host, source, &json!({}), &ScriptLimits::default(), &[start()]);
    assert_eq!(outcome.result, Ok(json!([6, 5, "«🌊» ✓"])));
}

#[test]
fn early_errors_run_nothing() {
    let host = MemoryHost::default();
    let outcome = run_with(
        &host,
        "await aside.file.create({ path: 'a' });\nlet b; let b;",
        &json!({}),
        &ScriptLimits::default(),
        &[start()],
    );
    let error = outcome.result.expect_err("b is declared twice");
    assert_eq!((error.code.as_str(), error.line, host.calls.lock().unwrap().len()), ("syntax_error", Some(2), 0));
}
