// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';

// happy-dom's documents have no doctype, as our pages do; KaTeX looks for one when it is loaded.
Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' });
const { default: Markdown } = await import('./Markdown');
(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

function rendered(text: string): HTMLElement {
  const host = document.createElement('div');
  act(() => createRoot(host).render(<Markdown text={text} />));
  return host;
}

test('markup of a model is text', () => {
  const host = rendered('<img src=x onerror=alert(1)> <script>x</script>\n\n<div onclick="x">**b**</div>');
  expect(host.querySelector('img, script, [onclick]')).toBeNull();
  expect(host.textContent).toContain('<img src=x onerror=alert(1)> <script>x</script>');
  expect(host.querySelector('strong')?.textContent).toBe('b');
});

test.each([
  ['nested too deep', '>'.repeat(20_000)],
  ['nested deep', `${'>'.repeat(2_000)}x`],
  ['one long line', 'x'.repeat(1_000_000)],
  ['half a formula', `$a${'_'.repeat(30_000)}`],
])(
  'a text made to break the page is shown: %s',
  (_, text) => {
    const start = process.cpuUsage();
    expect(rendered(text).textContent).toContain(text.at(-1));
    // Computing time: a busy machine makes a text no more hostile.
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000);
  },
  120_000,
);

test('an image is a link and loads nothing', () => {
  const host = rendered('![secret](https://evil.example/?q=1) and ![x](data:image/png;base64,AA)');
  expect(host.querySelector('img')).toBeNull();
  expect(host.textContent).toBe('Image: secret (evil.example) and Image: x');
});

test('a link names its host without a referrer', () => {
  const link = rendered('[bank](https://evil.example/x) [run](javascript:alert(1))').querySelectorAll('a');
  expect(link).toHaveLength(1);
  expect(link[0]?.getAttribute('rel')).toBe('noopener noreferrer');
  expect(link[0]?.getAttribute('target')).toBe('_blank');
});

test('tables, tasks and code are what they are', () => {
  const host = rendered('| a |\n|---|\n| 1 |\n\n- [x] done\n\n```py\nprint("<b>")\n```');
  expect(host.querySelector('td')?.textContent).toBe('1');
  expect(host.querySelector('input')?.getAttribute('aria-label')).toBe('done');
  expect(host.querySelector('pre')?.textContent).toBe('print("<b>")');
});

test('formulas become MathML, prices stay text', async () => {
  const host = rendered('$$x^2$$ and $\\href{https://evil.example}{x}$');
  await act(async () => {
    await import('./Formula');
  });
  expect(host.querySelectorAll('math')).toHaveLength(2);
  expect(host.querySelector('a')).toBeNull();
  expect(rendered('It costs $5, not $6.').textContent).toBe('It costs $5, not $6.');
});

test('bidirectional controls are shown as codes', () => {
  const host = rendered(
    'a \u202eb &#x2067;c `d\u2066` **\u202d** $x\u202e^2$ [l\u2069](a.py)\n\n```p\u202ey\n\u202ax\n```',
  );
  expect(host.textContent).toBe('a U+202Eb U+2067c dU+2066 U+202D xU+202E^2 lU+2069pU+202EyU+202Ax');
  expect(rendered('**שלום** \u200fعربي\u200e می\u200cخواهم').textContent).toBe('שלום \u200fعربي\u200e می\u200cخواهم');
  expect(rendered(`${'x'.repeat(50_000)}\u202e`).textContent).toContain('xU+202E');
});

test('notes have links, callouts and todos', async () => {
  const ticked: number[] = [];
  const note = { path: 'a.md', toggle: (at: number) => ticked.push(at), depth: 0 };
  const document_ = { picture: () => null, file: () => null, note };
  const { DocumentContext } = await import('./document');
  const host = document.createElement('div');
  const text = 'see [[Plan|the plan]] #tag ==hi== %%no%%\n\n$a^2$\n\n> [!tip] Good\n> text\n\n- [ ] do\n- [x] done\n';
  await act(async () =>
    createRoot(host).render(
      <DocumentContext value={document_}>
        <Markdown text={text} />
      </DocumentContext>,
    ),
  );
  expect(host.querySelector('mark')?.textContent).toBe('hi');
  expect(host.querySelector('[role=note]')?.getAttribute('aria-label')).toBe('Good');
  expect(host.textContent).toContain('the plan #tag hi');
  expect(host.textContent).not.toContain('no%%');
  const [first] = host.querySelectorAll('input');
  act(() => first?.click());
  expect(ticked).toEqual([text.indexOf('- [ ] do')]);
});
