/** Names of new files. Pure. */

/** Joins a folder and a name; the folder `""` is the workspace. */
export function join(folder: string, name: string): string {
  return folder ? `${folder}/${name}` : name;
}

/** `untitled.ipynb`, `untitled-2.ipynb` and so on. */
export function freeName(stem: string, ending: string, taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const name = `${stem}${count === 1 ? '' : `-${count}`}${ending}`;
    if (!taken.includes(name)) return name;
  }
}

/** The name itself, or with a number before its ending if it is taken. */
export function freeNameOf(name: string, taken: readonly string[]): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? freeName(name.slice(0, dot), name.slice(dot), taken) : freeName(name, '', taken);
}
