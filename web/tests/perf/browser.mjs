// Aside's page in Chromium.
export { launch } from '../chromium.mjs';

/** Opens Aside's page, and waits until the layout is in sync. */
export async function openAside(browser, aside) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${aside.url}#token=${aside.token}`);
  await page.getByText('Synced', { exact: true }).waitFor();
  return page;
}
