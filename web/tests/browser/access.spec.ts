import { expect, it } from 'vitest';
import { everywhere } from './axe';
import { eachInWindow } from './each';

const at = eachInWindow({ 'notes.md': '# Notes\n', 'one.csv': '1\n' });

const button = (name: string | RegExp) => at.page.getByRole('button', { name });
const holding = () => at.page.getByRole('list', { name: 'Active grants' });

/** What the server answers to a program with this token. */
async function tried(token: string): Promise<number> {
  const answer = await fetch(`${at.server.url}api/v1/actions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ action_type: 'doc.read', args: { path: 'notes.md' } }),
  });
  return answer.status;
}

async function makeGrant(name: string): Promise<string> {
  await button('New grant…').click();
  await at.page.keyboard.type(name);
  await at.page.keyboard.press('Enter');
  const shown = at.page.getByRole('status', { name: `Token for ${name}` });
  return (await shown.locator('code').first().textContent()) ?? '';
}

it('is given by key with the least that is useful, shown once, and ends at once', async () => {
  await at.page.goto(`${at.server.url}w/x/settings/access`);
  await at.page.getByText('No active grants', { exact: false }).waitFor();
  const token = await makeGrant('nightly script');
  expect(token.length).toBeGreaterThan(20);
  await holding().getByText('read', { exact: true }).waitFor();
  expect(await tried(token)).toBe(200);
  await button('Done').click();
  expect(await at.page.getByText(token).count()).toBe(0);
  await button('Revoke nightly script').click();
  await button('Really revoke nightly script').click();
  await at.page
    .getByRole('list', { name: 'Expired grants' })
    .getByText(/revoked/)
    .waitFor();
  expect(await tried(token)).toBe(401);
});

it('is refused with the reason when a pattern is wrong, and what was written stays', async () => {
  await at.page.goto(`${at.server.url}w/x/settings/access`);
  await button('New grant…').click();
  await at.page.getByLabel('Name', { exact: true }).fill('script');
  await at.page.getByLabel('Actions: one per line', { exact: false }).fill('everything');
  await button('Create grant').click();
  await at.page.getByRole('form', { name: 'New grant' }).getByRole('alert').waitFor();
  expect(await at.page.getByLabel('Name', { exact: true }).inputValue()).toBe('script');
});

it('other programs get the commands that connect them, with a token of their own', async () => {
  await at.page.goto(`${at.server.url}w/x/settings/programs`);
  await at.page.getByText(`claude mcp add aside -- aside mcp --workspace ${at.workspace.folder}`).waitFor();
  await button('New grant…').click();
  await button('Create grant').click();
  const token = await at.page
    .getByRole('status', { name: 'Token for MCP client' })
    .locator('code')
    .first()
    .textContent();
  await at.page.getByText(`Bearer ${token}`, { exact: false }).first().waitFor();
  await button('Done').click();
  expect(await at.page.getByText(`Bearer ${token}`, { exact: false }).count()).toBe(0);
});

it('access and programs have nothing that axe finds', async () => {
  await at.page.goto(`${at.server.url}w/x/settings/access`);
  await makeGrant('nightly script');
  await everywhere(at.page);
  await button('Done').click();
  await button('New grant…').click();
  await everywhere(at.page);
  await at.page.goto(`${at.server.url}w/x/settings/programs`);
  await at.page.getByText('claude mcp add aside --', { exact: false }).waitFor();
  await everywhere(at.page);
});
