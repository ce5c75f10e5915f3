/** Tells whether the server answers at all, at the window's own address. */
export function answers(): Promise<boolean> {
  return fetch(location.href, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}
