// The name of this window, by which an action finds it. A reload keeps it.
const KEY = 'aside.window';

/** Returns the name of this window. */
export function windowId(): string {
  const id = sessionStorage.getItem(KEY) ?? crypto.randomUUID();
  sessionStorage.setItem(KEY, id);
  return id;
}
