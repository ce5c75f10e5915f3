import { describe, expect, it } from 'vitest';
import { eachInWindow } from './each';

const at = eachInWindow({ 'model.py': 'print(1)\n' });

describe('a key', () => {
  const KEY = 'sk-canary-0123456789abcdef';

  it('is typed once, kept, and never comes back to the browser', async () => {
    const bodies: string[] = [];
    at.page.on('response', async (response) => bodies.push(await response.text().catch(() => '')));
    await at.page.goto(`${at.server.url}w/x/settings/models`);
    const anthropic = at.page.getByRole('region', { name: 'Anthropic' });
    await anthropic.getByRole('button', { name: 'Set API key of Anthropic' }).click();
    await anthropic.getByLabel('API key', { exact: true }).fill(KEY);
    expect(await anthropic.getByLabel('API key', { exact: true }).getAttribute('type')).toBe('password');
    await anthropic.getByRole('button', { name: 'Save key' }).click();
    await anthropic.getByText(/^Saved/).waitFor();
    expect(await anthropic.getByLabel('API key', { exact: true }).inputValue()).toBe('');
    await anthropic.getByRole('button', { name: 'Done' }).click();
    await at.page.reload();
    await anthropic.getByText(/^Key in /).waitFor();
    expect(await at.page.content()).not.toContain(KEY);
    expect(bodies.join('\n')).not.toContain(KEY);
    expect(await at.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(KEY);
    await anthropic.getByRole('button', { name: 'Delete API key of Anthropic' }).click();
    await anthropic.getByRole('button', { name: 'Really delete API key of Anthropic' }).click();
    await anthropic.getByText('No key').waitFor();
  });
});
