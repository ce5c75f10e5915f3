/** Which files are scripts over `aside`. Pure. */

/** Tells whether a file may be a script, by its name: TypeScript, but no declaration file. */
export function mayBeScript(path: string): boolean {
  return /\.ts$/i.test(path) && !/\.d\.ts$/i.test(path);
}

/** Tells whether a file is a script: its text uses `aside`, or it lies in a folder `scripts` and is no module for other programs. */
export function isScript(path: string, text: string): boolean {
  if (!mayBeScript(path)) return false;
  const isModule = /^\s*(?:import|export)\b|\brequire\s*\(/m.test(text);
  const usesAside = /\baside\s*\.\s*\w/.test(text);
  return /(?:^|\/)scripts\/[^/]+$/i.test(path) ? usesAside || !isModule : usesAside && !isModule;
}
