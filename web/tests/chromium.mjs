// The system's Chromium, started the same way for tests and for figures.
import { chromium } from 'playwright-core';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Chromium; anew if it crashes while it starts, as it does now and then where there is much to do. */
export async function launch(more = 2) {
  try {
    return await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  } catch (error) {
    if (more === 0) throw error;
    return launch(more - 1);
  }
}
