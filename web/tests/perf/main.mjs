// Prints one line a figure, `name<TAB>value<TAB>limit<TAB>peer<TAB>what the peer is`; read by `cargo xtask bench path`.
import { echo } from './echo.mjs';
import { explorer } from './explorer.mjs';
import { tokens } from './tokens.mjs';
import { typing } from './typing.mjs';

const show = (name, value, limit = '', peer = undefined, what = '') =>
  console.log([name, value.toFixed(2), limit, peer === undefined ? '' : peer.toFixed(2), what].join('\t'));

const BARE = 'CodeMirror alone';
const RELAY = 'Yjs relay in Node, memory only';

const token = await tokens();
show('added delay per streamed token, p99 (ms)', token.added, 1, token.addedByPipe, 'bare pipe in Node');
show('added delay per streamed token, p50 (ms)', token.p50);
const typed = await echo();
show("50 clients typing, at another's, p99 (ms)", typed.p99, 50, typed.peer99, RELAY);
show("50 clients typing, at another's, p50 (ms)", typed.p50, '', typed.peer50, RELAY);
const keys = await typing();
show('key to frame, 5,000 lines, p98 (ms)', keys.p98, 50, keys.peer98, BARE);
show('key to frame, 5,000 lines, p50 (ms)', keys.p50, '', keys.peer50, BARE);
show('opening a file of 5,000 lines (ms)', keys.opening);
const folder = await explorer();
show('listing a folder of 20,000 files (ms)', folder.listed);
show('opening it in the tree (ms)', folder.opened);
show('scrolling it, frame p98 (ms)', folder.p98);
show('scrolling it, longest frame (ms)', folder.worst);
process.exit(0);
