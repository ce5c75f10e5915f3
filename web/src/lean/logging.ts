// In place of lib0's console for Yjs, which says something only where something is wrong: see `build/lean.ts`.

// What would be styles there says nothing here.
export const [ORANGE, RED, BOLD, UNBOLD] = ['', '', '', ''];

export const print = (...words: unknown[]): void => console.warn(...words);
export const warn = print;
