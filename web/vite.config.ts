import './build/node20.ts';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { arrival } from './build/arrival.ts';
import { GROUPS } from './build/chunks.ts';
import { lean } from './build/lean.ts';
import { precompress } from './build/precompress.ts';
import { alone, together } from './build/testFiles.ts';

// A part without other parts is fetched before it is a module, too.
const withItself = (file: string, needed: string[], { hostType }: { hostType: 'html' | 'js' }) =>
  hostType === 'js' ? [...new Set([...needed, file])] : needed;

// Paths are relative (`./`): the server may live under any base path, see src/app/base.ts.
export default defineConfig({
  base: './',
  plugins: [arrival(), lean(), react(), precompress()],
  build: {
    manifest: true,
    target: 'es2023',
    modulePreload: { polyfill: false, resolveDependencies: withItself },
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': { target: process.env.ASIDE_URL ?? 'http://127.0.0.1:4870', ws: true } } },
  // Some read texts that are made to be slow, and a busy machine has little time for each.
  test: {
    setupFiles: ['src/testing/setup.ts'],
    environment: 'node',
    testTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'own', include: alone } },
      { extends: true, test: { name: 'shared', include: together, isolate: false } },
    ],
  },
});
