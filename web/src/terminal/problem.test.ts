import { describe, expect, it } from 'vitest';
import { problemIn } from './problem';

const title = (text: string, prompt = '$ ', status: number | null = null) =>
  problemIn(text.split('\n'), prompt, status)?.title ?? null;

describe('a problem in a terminal', () => {
  it.each([
    [
      '$ python a.py\nTraceback (most recent call last):\n  File "a.py", line 1\nZeroDivisionError: division by zero',
      'ZeroDivisionError: division by zero',
    ],
    ['$ cargo build\n   Compiling x\nerror[E0308]: mismatched types\n  --> a.rs:1:2', 'error[E0308]: mismatched types'],
    ['$ gcc a.c\na.c: In function ‘main’:\na.c:3:5: error: expected ‘;’', 'a.c:3:5: error: expected ‘;’'],
    ['$ npx tsc\nsrc/a.ts(3,5): error TS2304: Cannot find name', 'src/a.ts(3,5): error TS2304: Cannot find name'],
    ['$ node a.js\n    at x\nTypeError: a is not a function', 'TypeError: a is not a function'],
    ['$ make\nmake: *** [Makefile:2: all] Error 1', 'make: *** [Makefile:2: all] Error 1'],
    ['$ pytest\nFAILED tests/test_a.py::test_x - assert 1 == 2', 'FAILED tests/test_a.py::test_x - assert 1 == 2'],
    ['$ gti\nbash: gti: command not found', 'bash: gti: command not found'],
    ['$ ls x\nls: cannot access ‘x’: No such file or directory', 'ls: cannot access ‘x’: No such file or directory'],
  ])('is named by its line: %j', (text, named) => {
    expect(title(text)).toBe(named);
  });

  it('is none in other words about errors', () => {
    expect(title('$ cargo test\ntest error_is_shown ... ok\n0 errors, 0 warnings')).toBeNull();
    expect(title('$ git log\nfix the error: nobody saw it')).toBeNull();
    expect(title('')).toBeNull();
  });

  it('is that of the last command alone', () => {
    expect(title('$ gti\nbash: gti: command not found\n$ git status\nnothing to commit')).toBeNull();
    expect(problemIn(['$ ok', 'fine', '$ gti', 'bash: gti: command not found'], '$ ', null)?.text).toBe(
      '$ gti\nbash: gti: command not found',
    );
  });

  it('is told by the status of a shell', () => {
    expect(title('$ false', '$ ', 1)).toBe('exit status 1');
    expect(title('$ grep error: a.c\na.c:3:5: error: x', '$ ', 0)).toBeNull();
  });
});
