/** Joins class names; what is not there is left out. */
export function join(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
