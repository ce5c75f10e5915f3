/** Prints a figure in a line: `name<TAB>value<TAB>limit<TAB>peer<TAB>what the peer is`. */
export const show = (name, value, limit = '', peer = undefined, what = '') =>
  console.log([name, value.toFixed(2), limit, peer === undefined ? '' : peer.toFixed(2), what].join('\t'));
