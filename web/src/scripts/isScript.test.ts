import { expect, test } from 'vitest';
import { isScript, mayBeScript } from './isScript';

test('typescript that uses aside is a script', () => {
  expect(isScript('tidy.ts', 'await aside.file.list({});')).toBe(true);
  expect(isScript('web/src/App.tsx', 'aside.file.list({})')).toBe(false);
  expect(isScript('web/src/app.ts', "import x from 'y';\naside.file.list({})")).toBe(false);
  expect(isScript('web/src/app.ts', 'console.log(beside.x)')).toBe(false);
});

test('files in a scripts folder are scripts', () => {
  expect(isScript('scripts/empty.ts', '')).toBe(true);
  expect(isScript('paper/scripts/tidy.TS', '')).toBe(true);
  expect(isScript('scripts/deep/er.ts', '')).toBe(false);
  expect(isScript('scripts/build.ts', "import { build } from 'vite';")).toBe(false);
  expect(isScript('scripts/wrong.ts', "import x from 'y';\nawait aside.file.list({});")).toBe(true);
  expect(mayBeScript('scripts/aside.d.ts')).toBe(false);
});
