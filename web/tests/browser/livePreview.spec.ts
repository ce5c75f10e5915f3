// Markdown as people read it: rendered while it is written, as source, for reading.
import { expect, test } from 'vitest';
import { everywhere } from './axe';
import { eachInWindow } from './each';
import { editor, openFromTree, openWindow, textOf } from './support';

const NOTE = `---
title: Tides
tags: [sea]
---
# Tides

A *tide* is **high**. See [the plan](plan.md#next).

- [ ] measure
- [x] buy a gauge

| Port | High |
|------|-----:|
| Brest | 6.9 |

$$
E = mc^2
$$

> [!warning] Mind the current
> It is strong.

\`\`\`mermaid
flowchart LR
  Moon --> Tide
\`\`\`
`;
const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'change it',
      steps: [
        {
          text: 'Here.',
          calls: [
            {
              name: 'doc.edit',
              args: { path: 'tides.md', edits: [{ old: '| Brest | 6.9 |\n', new: '| Brest | 7.1 |\n' }] },
            },
          ],
        },
        { text: 'Settled.' },
      ],
    },
  ],
  otherwise: 'I only know this.',
};
const at = eachInWindow({
  'tides.md': NOTE,
  'plan.md': `# Plan\n\n${'line\n\n'.repeat(80)}## Next\n\nend\n`,
  '.aside/rehearsal.json': JSON.stringify(REHEARSAL),
});

const note = () => editor(at.page, 'tides.md');
const onDisk = () => expect.poll(() => at.workspace.read('tides.md'), { timeout: 10_000 });

test('signs are shown where the cursor is', async () => {
  const { page } = at;
  await openFromTree(page, 'tides.md');
  await note().getByRole('table').waitFor();
  await note().locator('math').waitFor();
  await note()
    .getByRole('img', { name: /^Diagram/ })
    .waitFor();
  await note().getByText('2 properties').waitFor();
  await note().getByText('is high. See').click();
  await expect.poll(() => textOf(page, 'tides.md')).toContain('A tide is high. See the plan.');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => textOf(page, 'tides.md')).toContain('A *tide* is high.');
  await page.keyboard.press('End');
  await page.keyboard.type(' **More**');
  await onDisk().toContain('plan.md#next). **More**\n');
  await page.keyboard.press('Control+z');
  await onDisk().toBe(NOTE);
});

test('a press on a checkbox changes one character', async () => {
  await openFromTree(at.page, 'tides.md');
  await note().getByRole('checkbox', { name: 'measure' }).click();
  await onDisk().toBe(NOTE.replace('- [ ] measure', '- [x] measure'));
  await at.page.keyboard.press('Control+e');
  const reading = at.page.getByRole('region', { name: 'Reading view of tides.md' });
  await reading.getByRole('checkbox', { name: 'buy a gauge' }).click();
  await onDisk().toBe(NOTE.replace('- [ ] measure', '- [x] measure').replace('- [x] buy', '- [ ] buy'));
});

test('a file keeps the view that was chosen', async () => {
  const { page } = at;
  await openFromTree(page, 'tides.md');
  await note().getByRole('table').waitFor();
  await page.keyboard.press('Alt+s');
  await expect.poll(() => textOf(page, 'tides.md')).toContain('| Brest | 6.9 |');
  await page.keyboard.press('Alt+s');
  await note().getByRole('table').waitFor();
  await page.keyboard.press('Alt+s');
  await page.reload();
  await expect.poll(() => textOf(page, 'tides.md')).toContain('| Brest | 6.9 |');
  await page.getByRole('button', { name: 'Reading' }).click();
  const reading = page.getByRole('region', { name: 'Reading view of tides.md' });
  await reading.getByRole('heading', { name: 'Tides' }).waitFor();
  await reading.getByRole('note', { name: 'Mind the current' }).waitFor();
  await everywhere(page);
  await page.keyboard.press('Control+e');
  await note().getByRole('table').waitFor();
});

test('links lead to their headings', async () => {
  const { page } = at;
  await openFromTree(page, 'tides.md');
  // Exact, so that it is the rendered link and not the line of its source, which is there a moment before.
  await note()
    .getByText('the plan', { exact: true })
    .click({ modifiers: ['ControlOrMeta'] });
  await editor(page, 'plan.md').getByText('Next', { exact: false }).waitFor();
  await page.getByRole('tab', { name: 'tides.md' }).click();
  await page.keyboard.press('Control+e');
  await page
    .getByRole('region', { name: 'Reading view of tides.md' })
    .getByRole('button', { name: 'the plan' })
    .click();
  await editor(page, 'plan.md').waitFor();
});

test('a proposal shows the source of its lines', async () => {
  const { page } = at;
  await openFromTree(page, 'tides.md');
  const composer = page.getByRole('textbox', { name: 'Message to the assistant' });
  await composer.fill('change it');
  await composer.press('Enter');
  const change = note().getByRole('group', { name: /^Change 1 of 1/ });
  await change.getByRole('button', { name: 'Accept' }).click();
  await onDisk().toBe(NOTE.replace('6.9', '7.1'));
  await note().getByRole('cell', { name: '7.1' }).waitFor();
});

test('two people write in one rendered note', async () => {
  const other = await openWindow(at.browser, at.server);
  for (const page of [at.page, other]) await openFromTree(page, 'tides.md');
  await note().getByText('is high. See').click();
  await at.page.keyboard.press('End');
  await editor(other, 'tides.md').getByText('Tides', { exact: true }).last().click();
  await other.keyboard.press('End');
  await Promise.all([at.page.keyboard.type(' one'), other.keyboard.type(' two')]);
  await onDisk().toContain('# Tides two\n');
  await onDisk().toContain('next). one\n');
  await other.locator('.cm-peer-caret').waitFor();
});

test('an address on words makes a link', async () => {
  const { page } = at;
  await openFromTree(page, 'tides.md');
  await note().getByText('is high. See').click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', 'https://example.org/x');
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await onDisk().toContain('[A](https://example.org/x) *tide*');
});

test('a pasted image becomes a file beside the note', async () => {
  const { page } = at;
  await openFromTree(page, 'tides.md');
  await note().getByText('is high. See').click();
  await page.keyboard.press('End');
  await page.evaluate(() => {
    const bytes = Uint8Array.from(
      atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
      (char) => char.charCodeAt(0),
    );
    const data = new DataTransfer();
    data.items.add(new File([bytes], 'chart.png', { type: 'image/png' }));
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await onDisk().toContain('next).![chart](chart.png)\n');
  expect(at.workspace.has('chart.png')).toBe(true);
});
