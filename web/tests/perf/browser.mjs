// Chromium, and Aside's page in it.
import { chromium } from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Chromium. */
export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });

/** Opens Aside's page, and waits until the layout is in sync. */
export async function openAside(browser, aside) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${aside.url}#token=${aside.token}`);
  await page.getByText('Synced', { exact: true }).waitFor();
  return page;
}
