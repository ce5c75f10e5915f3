// Builds the globals of a script. Runs once, before the script, and keeps its own references to each intrinsic that it uses later,
// so that nothing a script changes can reach a call. The last expression is a function, which the engine calls with its own functions.
(function prelude(native, names, argsText, seedHigh, seedLow) {
  "use strict";
  const { apply, construct, ownKeys } = Reflect;
  const { create, defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, keys, setPrototypeOf } = Object;
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { imul } = Math;
  const { then } = Promise.prototype;
  const { slice, toWellFormed } = String.prototype;
  const { get: weakGet, set: weakSet } = WeakMap.prototype;
  const { begin, clock, finish, print } = native;
  const [RealDate, RealError, RealPromise, RealString, RealTypeError] = [Date, Error, Promise, String, TypeError];
  const constant = (target, name, value) =>
    defineProperty(target, name, { __proto__: null, value, writable: false, enumerable: false, configurable: false });

  // No way from text to code, no shared memory, no clock, no hooks into stack traces.
  for (const name of ["eval", "Atomics", "SharedArrayBuffer", "WebAssembly", "queueMicrotask", "navigator", "gc", "WeakRef", "FinalizationRegistry"]) {
    delete globalThis[name];
  }
  const refused = {
    Function() {
      throw new RealTypeError("A script can't turn text into code");
    },
  }.Function;
  const Code = function Function() {
    return refused();
  };
  Code.prototype = Function.prototype;
  for (const sample of [function () {}, function* () {}, async () => {}, async function* () {}]) {
    constant(getPrototypeOf(sample), "constructor", Code);
  }
  constant(globalThis, "Function", Code);
  for (const hook of ["prepareStackTrace", "captureStackTrace"]) {
    delete RealError[hook];
    constant(RealError, hook, undefined);
  }
  delete RealError.stackTraceLimit;
  constant(RealError, "stackTraceLimit", 10);

  // The clock stands still between two ends of calls.
  const FixedDate = function Date(...parts) {
    if (new.target === undefined) return new RealDate(clock()).toString();
    if (parts.length === 0) parts = [clock()];
    return construct(RealDate, parts, new.target);
  };
  for (const key of ownKeys(RealDate)) {
    if (key !== "prototype" && key !== "length" && key !== "name") defineProperty(FixedDate, key, getOwnPropertyDescriptor(RealDate, key));
  }
  const dateNow = { now: () => clock() }.now;
  defineProperty(FixedDate, "length", { __proto__: null, value: 7 });
  defineProperty(FixedDate, "now", { __proto__: null, value: dateNow, writable: true, configurable: true });
  defineProperty(FixedDate, "prototype", { __proto__: null, value: RealDate.prototype, writable: false });
  defineProperty(RealDate.prototype, "constructor", { __proto__: null, value: FixedDate, writable: true, configurable: true });
  defineProperty(globalThis, "Date", { __proto__: null, value: FixedDate, writable: true, configurable: true });
  const started = clock();
  delete globalThis.performance;
  constant(globalThis, "performance", freeze({ timeOrigin: started, now: () => clock() - started }));

  // Two streams of SplitMix32, one for each half of 53 bits.
  const stream = (state) => () => {
    state = (state + 0x9e3779b9) | 0;
    let bits = state ^ (state >>> 16);
    bits = imul(bits, 0x21f0aaad);
    bits ^= bits >>> 15;
    bits = imul(bits, 0x735a2d97);
    return (bits ^ (bits >>> 15)) >>> 0;
  };
  const [high, low] = [stream(seedHigh), stream(seedLow)];
  const random = { random: () => ((high() >>> 5) * 67108864 + (low() >>> 6)) / 9007199254740992 }.random;
  defineProperty(Math, "random", { __proto__: null, value: random, writable: true, configurable: true });

  const made = new WeakMap();
  class AsideError extends RealError {
    constructor(code, message, hint) {
      super(message);
      const hidden = (value) => ({ __proto__: null, value, writable: true, enumerable: false, configurable: true });
      defineProperty(this, "code", hidden(RealString(code)));
      if (hint !== undefined) defineProperty(this, "hint", hidden(RealString(hint)));
      apply(weakSet, made, [this, { __proto__: null }]);
    }
  }
  defineProperty(AsideError.prototype, "name", { __proto__: null, value: "AsideError", writable: true, configurable: true });
  freeze(AsideError.prototype);
  freeze(AsideError);
  constant(globalThis, "AsideError", AsideError);

  // Copies arguments: each property is read once, own properties only, into objects without a prototype.
  const refuse = (what) => {
    throw new AsideError("invalid_args", `An argument can't be ${what}`, "Arguments are JSON: text, numbers, true, false, null, lists and objects.");
  };
  const copy = (value, depth) => {
    if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
    if (typeof value === "number") return value - value === 0 ? value : refuse("NaN or infinite");
    if (typeof value !== "object") return refuse(`a ${typeof value}`);
    if (depth > 64) return refuse("nested in itself, or deeper than 64 levels");
    if (isArray(value)) {
      const list = setPrototypeOf([], null);
      const length = value.length;
      for (let index = 0; index < length; index++) {
        const item = value[index];
        list[index] = item === undefined ? null : copy(item, depth + 1);
      }
      return list;
    }
    const object = create(null);
    const names = keys(value);
    for (let index = 0; index < names.length; index++) {
      const item = value[names[index]];
      if (item !== undefined) object[names[index]] = copy(item, depth + 1);
    }
    return object;
  };

  // Calls under way, by number.
  const pending = create(null);
  const request = (action, args) =>
    new RealPromise((resolve, reject) => {
      const site = new RealError();
      if (args === undefined) args = {};
      if (args === null || typeof args !== "object" || isArray(args)) {
        throw new AsideError("invalid_args", `\`${action}\` takes one object with its arguments`);
      }
      const text = stringify(copy(args, 0));
      pending[begin(action, text)] = { __proto__: null, action, site, resolve, reject };
    });
  const settle = (number, succeeded, text) => {
    const { action, site, resolve, reject } = pending[number];
    delete pending[number];
    try {
      const answer = parse(text);
      if (!succeeded) {
        const error = new AsideError(answer.code, answer.message, answer.hint);
        apply(weakGet, made, [error]).action = action;
        defineProperty(error, "stack", { __proto__: null, value: site.stack, writable: true, configurable: true });
        reject(error);
      } else if (action === "sleep") {
        resolve(undefined);
      } else {
        resolve({ ok: true, data: answer.data, text: answer.text });
      }
    } catch (error) {
      reject(error);
    }
  };

  // `aside`: a frozen tree without prototypes.
  const aside = create(null);
  const branches = [aside];
  for (const name of names) {
    const parts = name.split(".");
    const verb = parts.pop();
    let branch = aside;
    for (const part of parts) {
      if (branch[part] === undefined) branches.push((branch[part] = create(null)));
      branch = branch[part];
    }
    const call = { [verb]: (args) => request(name, args) }[verb];
    if (branch[verb] !== undefined) {
      for (const key of keys(branch[verb])) call[key] = branch[verb][key];
    }
    branch[verb] = call;
    branches.push(call);
  }
  aside.sleep = { sleep: (milliseconds) => request("sleep", { milliseconds }) }.sleep;
  branches.push(aside.sleep);
  for (const branch of branches) freeze(branch);
  constant(globalThis, "aside", aside);

  const frozen = (value) => {
    if (value !== null && typeof value === "object") {
      for (const key of keys(value)) frozen(value[key]);
      freeze(value);
    }
    return value;
  };
  constant(globalThis, "args", frozen(parse(argsText)));

  // Words for a value, for the console and for errors. Runs code of the script at worst within its limits.
  const words = (value) => {
    try {
      if (typeof value === "string") return value;
      if (typeof value === "symbol" || typeof value === "function" || value === null || typeof value !== "object") return RealString(value);
      if (value instanceof RealError) return RealString(value);
      const text = stringify(value);
      return typeof text === "string" ? text : RealString(value);
    } catch {
      return "(a value without words)";
    }
  };
  const log = (values) => {
    let line = "";
    for (let index = 0; index < values.length; index++) line += (index === 0 ? "" : " ") + words(values[index]);
    print(apply(toWellFormed, line, []));
  };
  const console = create(null);
  for (const level of ["log", "info", "warn", "error", "debug"]) console[level] = { [level]: (...values) => log(values) }[level];
  constant(globalThis, "console", freeze(console));

  const describe = (error) => {
    const description = create(null);
    try {
      const known = error !== null && typeof error === "object" ? apply(weakGet, made, [error]) : undefined;
      if (known !== undefined) {
        description.code = words(error.code);
        description.message = words(error.message);
        if (error.hint !== undefined) description.hint = words(error.hint);
        description.action = known.action;
      } else {
        description.message = words(error);
      }
      if (error instanceof RealError) description.stack = words(error.stack);
    } catch {
      description.message ??= "(an error without words)";
    }
    const parts = keys(description);
    for (let index = 0; index < parts.length; index++) {
      const part = description[parts[index]];
      if (typeof part === "string") description[parts[index]] = apply(slice, part, [0, 4000]);
    }
    return stringify(description);
  };

  const start = (body) => {
    const failed = (error) => {
      finish("over", "");
      finish("failed", describe(error));
    };
    const succeeded = (value) => {
      let text;
      try {
        text = stringify(value);
      } catch (error) {
        finish("over", "");
        return finish("bad", describe(error));
      }
      finish("done", typeof text === "string" ? text : "null");
    };
    apply(then, body(), [succeeded, failed]);
  };
  return [start, settle, describe];
})
