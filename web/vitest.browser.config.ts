import './build/node20.ts';
import { defineConfig } from 'vitest/config';

// The real binary and a real Chromium: one at a time, with time to start.
export default defineConfig({
  test: {
    include: ['tests/browser/**/*.spec.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // A busy machine can move a page between a press and its release. What needed its second try is named in the report.
    retry: 1,
  },
});
