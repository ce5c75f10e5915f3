// In place of a part of y-codemirror.next that we don't use: see `build/lean.ts`.
import type { Extension } from '@codemirror/state';

export const yRemoteSelections: Extension = [];
export const yRemoteSelectionsTheme: Extension = [];
