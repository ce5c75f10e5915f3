// @vitest-environment happy-dom
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { allCommands } from './commands';
import { COVERAGE, type Coverage, coverageOf } from './coverage';

const PAGE = '../docs/coverage.md';
const [BEGIN, END] = ['<!-- commands -->\n', '<!-- /commands -->\n'];

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {} }));
  (await import('./commandList')).registerShellCommands();
  (await import('../threads/commands')).registerThreadCommands();
  (await import('../review/commands')).registerReviewCommands();
  (await import('../latex/commands')).registerLatexCommands();
  (await import('../scripts/commands')).registerScriptCommands();
  (await import('../editor/commands')).registerEditorCommands();
  (await import('../livePreview/commands')).registerMarkdownCommands();
  (await import('../search/commands')).registerFindCommands();
  (await import('../window/commands')).registerTabCommands();
  (await import('../notebook/keys')).registerNotebookCommands();
});

/** The files of the UI that add commands. */
function registering(folder = 'src'): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return registering(path);
    const isSource = /\.tsx?$/.test(path) && !path.includes('.test.');
    return isSource && readFileSync(path, 'utf8').includes(' registerCommands(') ? [path] : [];
  });
}

it('knows every file that adds commands', () => {
  expect(registering().toSorted()).toEqual([
    'src/app/commandList.ts',
    'src/app/commands.ts',
    'src/editor/commands.ts',
    'src/latex/commands.ts',
    'src/livePreview/commands.ts',
    'src/notebook/keys.ts',
    'src/review/commands.ts',
    'src/scripts/commands.ts',
    'src/search/commands.ts',
    'src/threads/commands.ts',
    'src/window/commands.ts',
  ]);
});

it('lists each command with action or reason', () => {
  const commands = allCommands();
  expect(commands.length).toBeGreaterThan(90);
  const without = commands.filter(({ id }) => !coverageOf(id)).map(({ id }) => id);
  expect(without, 'add these to coverage.ts').toEqual([]);
  const isUsed = (key: string) =>
    commands.some(({ id }) => (key.endsWith('*') ? id.startsWith(key.slice(0, -1)) : id === key));
  expect(
    Object.keys(COVERAGE).filter((key) => !isUsed(key)),
    'these commands are gone',
  ).toEqual([]);
});

it('names actions that exist', () => {
  const pages = readdirSync('../docs/actions').map((name) => readFileSync(join('../docs/actions', name), 'utf8'));
  const known = new Set([...pages.join('\n').matchAll(/^## `(.+)`$/gm)].map(([, name]) => name));
  const named = Object.values(COVERAGE).flatMap((each) => ('action' in each ? [each.action] : []));
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
});

it('is on the page', () => {
  const page = readFileSync(PAGE, 'utf8');
  const [before = '', rest = ''] = page.split(BEGIN);
  const after = rest.slice(rest.indexOf(END));
  const now = `${before}${BEGIN}${table()}${after}`;
  if (process.env.ASIDE_CODEGEN) writeFileSync(PAGE, now);
  else expect(page, 'run `cargo xtask codegen`').toBe(now);
});

function table(): string {
  const rows = allCommands().map(({ id, title }) => `| ${title} | \`${id}\` | ${words(coverageOf(id))} |\n`);
  return `| Command | Id | Action, or the reason for none |\n|---|---|---|\n${rows.join('')}`;
}

function words(coverage: Coverage | undefined): string {
  if (!coverage) return '';
  return 'action' in coverage ? `\`${coverage.action}\`` : coverage.reason;
}
