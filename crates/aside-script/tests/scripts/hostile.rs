//! Scripts of a hostile author.

use aside_script::*;
use serde_json::json;

use crate::host::*;

#[test]
fn no_way_from_text_to_code() {
    let source = r#"
const world = globalThis as any;
const out: string[] = [];
const ways: (() => unknown)[] = [
  () => world.eval("1"),
  () => (0, world.eval)("1"),
  () => world.Function("return 1")(),
  () => new world.Function("return 1")(),
  () => ((() => 1) as any).constructor("return 1")(),
  () => (async () => 1).constructor("return 1")(),
  () => (function* () {} as any).constructor("yield 1")().next(),
  () => (async function* () {} as any).constructor("yield 1")().next(),
  () => (class {} as any).constructor("return 1")(),
  () => new Error().constructor.constructor("return 1")(),
  () => (aside.file.read as any).constructor("return 1")(),
  () => (console.log as any).constructor("return 1")(),
  () => Reflect.construct(Object.getPrototypeOf(async () => {}).constructor, ["return 1"])(),
  () => Object.getPrototypeOf(Object.getPrototypeOf(async () => {}).constructor)("return 1")(),
  () => Reflect.getPrototypeOf(Reflect.getPrototypeOf(function* () {})!.constructor as any).constructor("return 1")(),
  () => new (class extends (Function as any) { constructor() { super("return 1") } } as any)(),
  () => Reflect.construct(Array, ["return 1"], Function)(),
  () => Object.getOwnPropertyDescriptor(Function.prototype, "constructor")!.value("return 1")(),
  () => (Math.random as any).constructor("return 1")(),
  () => [].filter.constructor("return 1")(),
  () => Function.prototype.constructor.apply(null, ["return 1"])(),
  () => Function.prototype.bind.call(Function, null)("return 1")(),
];
for (const way of ways) { try { out.push("got " + String(way())) } catch (error) { out.push(error.name) } }
return [...new Set(out)];"#;
    let names = result(source);
    assert_eq!(names, json!(["TypeError"]));
}

#[test]
fn nothing_of_the_world_is_there() {
    let source = r#"
const world = globalThis as any;
return ["require", "process", "fetch", "XMLHttpRequest", "WebSocket", "Deno", "std", "os", "load", "WebAssembly", "Atomics", "SharedArrayBuffer",
  "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "WeakRef", "FinalizationRegistry", "Worker", "print", "scriptArgs", "bjson", "navigator",
  "gc", "eval", "native", "module", "exports", "import_"].filter((name) => name in world);"#;
    assert_eq!(result(source), json!([]));
}

#[test]
fn polluted_prototypes_add_no_argument() {
    let host = MemoryHost::with_files(&[("new", "n"), ("old", "o")]);
    let source = r#"
(Object.prototype as any).overwrite = true;
(Object.prototype as any).toJSON = () => ({ from: "new", to: "old", overwrite: true });
(Array.prototype as any).toJSON = () => "list";
Object.defineProperty(Object.prototype, "from", { set() {}, get() { return "old" }, configurable: true });
let code = "none";
try { await aside.file.copy({ ["from"]: "new", to: "old" }); } catch (error) { code = error.code; }
const again = await aside.test.slow({ list: [1, [2]], __proto__: { evil: 1 }, ["__proto__"]: 5 });
for (const key of ["overwrite", "toJSON", "from"]) delete (Object.prototype as any)[key];
delete (Array.prototype as any).toJSON;
return [code, again.data];"#;
    let outcome = run_with(&host, source, &json!({}), &ScriptLimits::default(), &[start()]);
    assert_eq!(outcome.result, Ok(json!(["exists", {"list": [1, [2]], "__proto__": 5}])));
    assert_eq!(host.calls.lock().unwrap()[0].2, json!({"from": "new", "to": "old"}));
}

#[test]
fn replaced_intrinsics_reach_no_call() {
    let source = r#"
const define = Object.defineProperty;
const evil = () => { throw new Error("evil") };
for (const [owner, names] of [[JSON, ["parse", "stringify"]], [Object, ["keys", "create", "freeze", "defineProperty", "setPrototypeOf"]],
  [Array, ["isArray"]], [Reflect, ["apply", "ownKeys"]], [Promise.prototype, ["catch", "finally"]], [String.prototype, ["split", "toWellFormed", "slice"]],
  [WeakMap.prototype, ["get", "set"]], [Array.prototype, ["push", "pop", "map", Symbol.iterator]]] as any) {
  for (const name of names) owner[name] = evil;
}
define(Error, Symbol.hasInstance, { value: evil });
console.log("still", "here");
const read = await aside.test.slow({ a: [1, { b: "c" }] });
try { await aside.test.throws({}); } catch (error) { return { code: error.code, data: read.data }; }"#;
    let outcome = outcome(source);
    assert_eq!(outcome.result, Ok(json!({"code": "denied", "data": {"a": [1, {"b": "c"}]}})));
    assert_eq!(outcome.console.text, "still here\n");
}

#[test]
fn getters_and_proxies_are_read_once() {
    let source = r#"
let reads = 0;
const tricky = { get path() { reads++; return reads === 1 ? "good" : "evil" } };
const first = await aside.test.slow(tricky);
const traps: string[] = [];
const proxy = new Proxy({ a: 1 }, { get(target, key) { traps.push(String(key)); return Reflect.get(target, key) }, ownKeys: (target) => Reflect.ownKeys(target) });
const second = await aside.test.slow(proxy);
return [first.data, reads, second.data, traps];"#;
    assert_eq!(result(source), json!([{"path": "good"}, 1, {"a": 1}, ["a"]]));
}

#[test]
fn arguments_that_are_no_json_are_refused() {
    let source = r#"
const cycle: any = {}; cycle.a = cycle;
let deep: any = {}; for (let i = 0; i < 100000; i++) deep = { deep };
const codes: unknown[] = [];
for (const wrong of [cycle, { deep }, { a: () => 1 }, { a: 1n }, { a: Symbol("b") }, { a: NaN }, { a: Infinity }, null, [1], "text", 5, () => 1] as any[]) {
  try { await aside.test.slow(wrong); codes.push("passed") } catch (error) { codes.push(error.code) }
}
let own = "none";
try { await aside.test.slow({ get a() { throw new TypeError("mine") } }) } catch (error) { own = error.message }
return [[...new Set(codes)], own, (await (aside.test.slow as any)()).data];"#;
    assert_eq!(result(source), json!([["invalid_args"], "mine", {}]));
}

#[test]
fn thenables_and_species_stay_within_the_script() {
    let source = r#"
class Mine extends Promise<any> { static get [Symbol.species]() { return Promise as any } }
const seen: string[] = [];
const thenable = { then(resolve: (value: unknown) => void) { seen.push("then"); resolve(5) } };
const waited = await thenable;
(Promise.prototype as any).constructor = Mine;
const read = await aside.test.slow({ a: 1 });
(Object.prototype as any).then = function (resolve: (value: unknown) => void) { delete (Object.prototype as any).then; resolve("replaced") };
const replaced = await aside.test.slow({ b: 2 });
const tag = ((parts: TemplateStringsArray, ...values: unknown[]) => parts.raw.join("|") + values.length)`a${1}b${2}`;
async function* numbers() { yield 1; yield (await aside.test.slow({ c: 3 })).data.c; }
const got: number[] = [];
for await (const number of numbers()) got.push(number);
return [waited, seen, read.data, replaced, tag, got];"#;
    assert_eq!(result(source), json!([5, ["then"], {"a": 1}, "replaced", "a|b|2", [1, 3]]));
}

#[test]
fn spoilt_errors_still_end_the_run() {
    for source in [
        "throw { get message() { throw 1 }, toString() { throw 2 }, toJSON() { throw 3 } };",
        "const e: any = new Error('a'); Object.defineProperty(e, 'message', { get() { throw 1 } }); Object.defineProperty(e, 'stack', { get() { throw 1 } }); throw e;",
        "throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } });",
        "(Array.prototype as any)[Symbol.iterator] = null; throw new Error('a');",
        "throw Object.create(null);",
        "const e = new Error('a'); e.stack = 'at script:999999999999999999'; throw e;",
        "(Promise.prototype as any).then = null; throw new Error('a');",
        "Object.defineProperty(Promise.prototype, 'constructor', { get() { throw new Error('a') } }); throw new Error('b');",
    ] {
        assert_eq!(error(source).code, "script_error", "{source}");
    }
}

#[test]
fn no_call_after_an_uncaught_error() {
    let host = MemoryHost::default();
    let source = "throw { toJSON() { aside.file.create({ path: 'late' }) }, get message() { aside.file.create({ path: 'late' }); return '' } };";
    let outcome = run_with(&host, source, &json!({}), &ScriptLimits::default(), &[start()]);
    assert!(outcome.result.is_err());
    let source =
        "Promise.resolve().then(() => 1).then(() => 2).then(() => aside.file.create({ path: 'late' })); throw 1;";
    assert!(run_with(&host, source, &json!({}), &ScriptLimits::default(), &[start()]).result.is_err());
    assert_eq!(host.call_names(), Vec::<String>::new());
}

#[test]
fn stack_hooks_are_closed() {
    let source = r#"
const tried: string[] = [];
for (const way of [() => { (Error as any).prepareStackTrace = () => 1 }, () => { (Error as any).stackTraceLimit = 0 }, () => (Error as any).captureStackTrace({})]) {
  try { way(); tried.push("changed") } catch (error) { tried.push(error.name) }
}
return tried;"#;
    assert_eq!(result(source), json!(["TypeError", "TypeError", "TypeError"]));
}
