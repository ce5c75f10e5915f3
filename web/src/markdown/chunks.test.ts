import { expect, it } from 'vitest';
import { chunksOf } from './chunks';

const joined = (text: string) =>
  chunksOf(text)
    .map((chunk) => chunk.text)
    .join('');

it('joined parts are the text without front matter', () => {
  const body = `# One\n\n${'word '.repeat(900)}\n\n- a\n- b\n\n\`\`\`\n# no\n\n${'x\n\n'.repeat(3000)}\`\`\`\nend`;
  expect(joined(`---\na: 1\n---\n${body}`)).toBe(body);
  const chunks = chunksOf(`---\na: 1\n---\n${body}`);
  expect(chunks[0]).toMatchObject({ start: 13, line: 4 });
  for (const { text, line, lines } of chunks.slice(0, -1)) expect(text.split('\n').length - 1, `${line}`).toBe(lines);
});

it('a fence and a formula stay whole', () => {
  const fence = `\`\`\`\n${'x\n\n'.repeat(5000)}\`\`\`\n`;
  const math = `$$\n${'a\n\n'.repeat(5000)}$$\n`;
  const texts = chunksOf(`one\n\n${fence}\n${math}\ntwo`).map((chunk) => chunk.text);
  expect(texts.some((text) => text.includes(fence))).toBe(true);
  expect(texts.some((text) => text.includes(math))).toBe(true);
});

it('long lists of todos have many parts', () => {
  const chunks = chunksOf('- [ ] something to do\n'.repeat(10_000));
  expect(chunks.length).toBeGreaterThan(10);
  expect(Math.max(...chunks.map(({ text }) => text.length))).toBeLessThan(40_000);
});
