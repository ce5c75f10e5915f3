import './build/node20.ts';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Each test has the real binary on a folder of its own, and a window of a real Chromium. Two thirds of the time it waits, so
// there are twice as many files at a time as there are processors.
export default defineConfig({
  test: {
    include: ['tests/browser/**/*.spec.ts'],
    environment: 'node',
    // A file leaves nothing behind but loaded modules, and loading them takes a second.
    isolate: false,
    maxWorkers: 2 * availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // A busy machine can move a page between a press and its release. What needed another try is named in the report.
    retry: 2,
  },
});
