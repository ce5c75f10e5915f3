import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachInWindow } from './each';
import { openWindow } from './support';

const edit = (path: string, old: string, now: string) => ({
  name: 'doc.edit',
  args: { path, edits: [{ old, new: now }] },
});
const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'one line',
      steps: [
        { text: 'Here.', calls: [edit('notes.md', 'The tide is low.\n', 'The tide is high.\n')] },
        { text: 'Settled.' },
      ],
    },
    { when: 'delete', steps: [{ calls: [{ name: 'file.delete', args: { path: 'old.csv' } }] }, { text: 'Gone.' }] },
    { when: 'slowly', steps: [{ text: 'word '.repeat(40), delay_ms: 40 }] },
    { when: 'forever', steps: [{ text: 'on and on ', delay_ms: 20, endless: true }] },
  ],
  otherwise: 'I only know these.',
};
const at = eachInWindow({
  'notes.md': 'The tide is low.\n',
  'old.csv': 'a,b\n',
  '.aside/rehearsal.json': JSON.stringify(REHEARSAL),
});

const composer = () => at.page.getByRole('textbox', { name: 'Message to the assistant' });
const log = () => at.page.getByRole('log', { name: 'Conversation' });
const queue = () => at.page.getByRole('region', { name: 'Queued messages' });

async function ask(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press('Enter');
}

describe('a card', () => {
  it('of a one-line change takes one line', async () => {
    await ask('one line');
    const card = log().getByRole('region', { name: /^Edit notes\.md/ });
    await card.getByText('high', { exact: true }).waitFor();
    expect(await card.evaluate((element) => element.getBoundingClientRect().height)).toBeLessThan(48);
    expect(await violations(at.page)).toEqual([]);
    await card.getByRole('button', { name: 'More answers' }).click();
    await at.page.getByRole('menuitem', { name: 'Show in file' }).waitFor();
    await at.page.keyboard.press('Escape');
    await card.getByRole('button', { name: /^notes\.md/, expanded: false }).click();
    await card.getByRole('group', { name: /^Change 1 of 1/ }).waitFor();
  });

  it('is accepted from the composer by key', async () => {
    await ask('one line');
    await log()
      .getByRole('region', { name: /^Edit notes/ })
      .getByRole('button', { name: 'Accept', exact: true })
      .waitFor();
    await expect
      .poll(async () => {
        await composer().press('Alt+y');
        return at.workspace.read('notes.md');
      })
      .toBe('The tide is high.\n');
    await log().getByText('Settled.').waitFor();
  });

  it('of a deletion needs the key twice', async () => {
    await ask('delete');
    const card = log().getByRole('region', { name: /^Delete/ });
    await expect
      .poll(async () => {
        if ((await card.getByRole('button', { name: 'Really accept' }).count()) === 0) await composer().press('Alt+y');
        return card.getByRole('button', { name: 'Really accept' }).count();
      })
      .toBe(1);
    expect(at.workspace.has('old.csv')).toBe(true);
    await composer().press('Alt+y');
    await expect.poll(() => at.workspace.has('old.csv')).toBe(false);
  });

  it('is rejected by key', async () => {
    await ask('delete');
    await log()
      .getByRole('region', { name: /^Delete/ })
      .getByRole('button', { name: 'Accept', exact: true })
      .waitFor();
    await composer().press('Alt+n');
    await log()
      .getByRole('region', { name: /rejected$/ })
      .waitFor();
    expect(at.workspace.has('old.csv')).toBe(true);
  });
});

describe('a message during an answer', () => {
  it('waits in sight and is sent after it', async () => {
    await ask('slowly');
    await log().getByText('word word', { exact: false }).first().waitFor();
    await ask('and then this');
    await queue().getByText('and then this').waitFor();
    expect(await composer().inputValue()).toBe('');
    expect(await violations(at.page)).toEqual([]);
    await log().getByText('I only know these.').waitFor();
    await expect.poll(() => queue().count()).toBe(0);
    expect(
      await log()
        .getByRole('article', { name: /^Message from/ })
        .count(),
    ).toBe(2);
  });

  it('stays after a stop until it is sent', async () => {
    await ask('forever');
    await log().getByText('on and on', { exact: false }).first().waitFor();
    await ask('the next one');
    await ask('the last one');
    await queue().getByRole('button', { name: 'Remove queued message' }).last().click();
    await composer().press('Escape');
    await log().getByText('Stopped.').waitFor();
    const again = await openWindow(at.browser, at.server);
    await again.context().close();
    await at.page.reload();
    await queue().getByText('the next one').waitFor();
    await queue().getByRole('button', { name: 'Send now' }).click();
    await log().getByText('I only know these.').waitFor();
    await expect.poll(() => queue().count()).toBe(0);
  });
});
