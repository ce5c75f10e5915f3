// Help with what a build of LaTeX found wrong, from its mark and from the palette, given by a model that plays its part.
import { expect, it } from 'vitest';
import { eachInWindow } from './each';
import { editor, openFromTree } from './support';
import { build, tex } from './tex';

const PAPER = '\\documentclass{article}\n\\begin{document}\n\\lowtide\nText.\n\n\\hightide\n\\end{document}\n';
const EDIT = { path: 'paper.tex', edits: [{ old: '\\lowtide\n', new: 'Low tide.\n' }] };
const REHEARSAL = {
  name: 'tests',
  replies: [
    {
      when: 'hint',
      steps: [{ text: 'I mend it.', calls: [{ name: 'doc.edit', args: EDIT }] }],
    },
  ],
  otherwise: 'I only know these.',
};
const at = eachInWindow({ 'paper.tex': PAPER, '.aside/rehearsal.json': JSON.stringify(REHEARSAL) });

const log = () => at.page.getByRole('log', { name: 'Conversation' });

it.runIf(tex)('goes with the problem, its lines and the end of what was put out; a hint changes nothing', async () => {
  await openFromTree(at.page, 'paper.tex');
  const bar = at.page.getByRole('region', { name: 'LaTeX', exact: true });
  await build(bar, /^2 errors/);

  const marks = at.page.locator('.cm-lint-marker-error');
  await expect.poll(() => marks.count()).toBe(2);
  await marks.first().hover();
  await at.page.locator('.cm-tooltip').getByRole('button', { name: 'Get a hint' }).click();
  await log().getByText('not allowed', { exact: true }).waitFor();
  await at.page.getByText('Hints only').first().waitFor();
  const along = log().getByRole('list', { name: 'Context sent with this message' });
  await along.getByText('Problem: line 3 of paper.tex', { exact: true }).waitFor();
  await along.getByText('Line 3 of paper.tex selected', { exact: true }).waitFor();
  await along
    .getByText(/^Output of latexmk/)
    .first()
    .click();
  await along.getByText('Latexmk: Errors', { exact: false }).waitFor();
  expect(at.workspace.read('paper.tex')).toBe(PAPER);

  await editor(at.page, 'paper.tex').getByText('\\hightide').click();
  await at.page.keyboard.press('Control+k');
  await at.page.getByRole('combobox', { name: 'Ask Aside' }).fill('Help me fix the problem in this file');
  await at.page.getByRole('option', { name: /^Help me fix the problem in this file/ }).click();
  await along.getByText('Problem: line 6 of paper.tex', { exact: true }).waitFor();
});
