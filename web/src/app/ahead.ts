/** Loads what shows the file that the address names while the session is still being opened. */
export function loadAhead(address: string): void {
  if (!/\/w\/[^/]+\/f\/./.test(address)) return;
  // What fails here is asked for again where it is shown, and told of there.
  const ignored = () => {};
  import('../editor/FileView').catch(ignored);
  const shows = /\.ipynb$/i.test(address) ? import('../notebook/Notebook') : import('../editor/CodeView');
  shows.catch(ignored);
}
