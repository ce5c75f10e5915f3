// The ten sentences of the Navigator's proposal, said in the palette: by keys, by mouse, in a narrow window, with a model and without.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachInWindow } from './each';
import { openFromTree, resize } from './support';

const FILES = {
  'README.md': '# Tides\n',
  'b.md': 'b\n',
  'c.md': 'c\n',
  'old.csv': 'a,b\n',
  'lib/model.py': 'x = 1\n',
};
/** A model that plans nothing. */
const SILENT = { name: 'tests', replies: [], otherwise: 'I only know these.' };

const field = (page: Page) => page.getByRole('combobox', { name: /^Ask Aside/ });
const panel = (page: Page) => page.getByRole('region', { name: 'Quick task' });
const MODEL = /^Ask the assistant/;

/** Each sentence, the row that comes first, and what is on the screen after it was chosen. */
const SENTENCES: readonly [sentence: string, row: RegExp, then: (page: Page) => Promise<unknown>][] = [
  ['open the last five files', /^Open .*old\.csv/, (page) => page.getByRole('tab', { name: 'b.md' }).first().waitFor()],
  [
    'set workspace color to orange',
    /^Set colour of the workspace to Orange/,
    (page) => card(page, 'Colour of the workspace'),
  ],
  [
    'add quick launcher entry for rmd',
    /^Add rmd to cards of the launcher/,
    (page) => card(page, 'Cards of the launcher'),
  ],
  [
    'launch JupyterLab server',
    /^Open JupyterLab/,
    (page) => page.getByText('know where JupyterLab runs').first().waitFor(),
  ],
  [
    'add a collaborator to this workspace',
    /^Invite a guest/,
    (page) => expect.poll(() => field(page).inputValue()).toMatch(/^invite/),
  ],
  [
    'close non-chat tabs',
    /^Close/,
    (page) => page.getByRole('tab', { name: 'README.md' }).waitFor({ state: 'detached' }),
  ],
  ['sort tabs by mtime', /^Sort the tabs/, (page) => field(page).waitFor({ state: 'detached' })],
  ['rename old.csv to new.csv', /^Rename old\.csv to new\.csv/, (page) => card(page, 'new.csv')],
  [
    'if README.md exists open it, otherwise create it',
    MODEL,
    (page) => panel(page).getByText('needs a model').waitFor(),
  ],
  ['for each csv file make a note with its name', MODEL, (page) => panel(page).getByText('needs a model').waitFor()],
];

/** A card with an effect waits for its answer. */
async function card(page: Page, words: string): Promise<void> {
  await panel(page).getByText(words).first().waitFor();
  await panel(page)
    .getByRole('button', { name: /^Confirm|^Run|^Accept/ })
    .first()
    .waitFor();
}

async function say(page: Page, sentence: string, row: RegExp): Promise<void> {
  await field(page).fill(sentence);
  await page.getByRole('option', { name: row, selected: true }).waitFor();
  // A press right after the rows have changed means the rows from before.
  await page.waitForTimeout(400);
}

describe('without a model', () => {
  const at = eachInWindow(FILES);

  it.each(SENTENCES)('%s, by keys', async (sentence, row, then) => {
    await openFromTree(at.page, 'README.md');
    await at.page.keyboard.press('Control+k');
    await say(at.page, sentence, row);
    await at.page.keyboard.press('Enter');
    await then(at.page);
  });

  it.each(SENTENCES)('%s, by mouse in a narrow window', async (sentence, row, then) => {
    await openFromTree(at.page, 'README.md');
    await resize(at.page, 400, 800);
    await at.page.getByRole('button', { name: /^Ask Aside…/ }).click();
    await say(at.page, sentence, row);
    expect(await violations(at.page)).toEqual([]);
    await at.page.getByRole('option', { name: row }).first().click();
    await then(at.page);
  });
});

describe('with a model', () => {
  const at = eachInWindow({ ...FILES, '.aside/rehearsal.json': JSON.stringify(SILENT) });

  it.each(SENTENCES.filter(([, row]) => row === MODEL))('%s, goes to it', async (sentence, row) => {
    await openFromTree(at.page, 'README.md');
    await at.page.keyboard.press('Control+k');
    await say(at.page, sentence, row);
    await at.page.keyboard.press('Enter');
    await panel(at.page).getByText('I only know these.').waitFor();
  });
});
