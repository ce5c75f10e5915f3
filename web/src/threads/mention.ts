/** How a message names things with an `@`. Pure; the server reads them the same way: both are held against the same cases. */

/** `@figures/plot.png`, or `@"two words.txt"` where the plain spelling would end too soon. */
export function mentionOf(path: string): string {
  return /^[^\s()[\]{},"'`<>]*[^\s()[\]{},"'`<>.!?:;]$/.test(path) && /[./]/.test(path) ? `@${path}` : `@"${path}"`;
}
