// Prints one line a figure, `name<TAB>value<TAB>peer<TAB>what the peer is`; read by `cargo xtask bench path`.
import { echo } from './echo.mjs';
import { tokens } from './tokens.mjs';
import { typing } from './typing.mjs';

const show = (name, value, peer, what) =>
  console.log([name, value.toFixed(2), peer === undefined ? '' : peer.toFixed(2), what ?? ''].join('\t'));

const streamed = await tokens();
show('added delay per token, p99 (ms)', Math.max(0, streamed.p99 - streamed.peer), undefined, '');
show("token at the browser's socket, p99 (ms)", streamed.p99, streamed.peer, "the model's own socket");
const typed = await echo();
show("50 clients, keystroke at another's, p99 (ms)", typed.p99, undefined, '');
show("50 clients, keystroke at another's, p50 (ms)", typed.p50, undefined, '');
const keys = await typing();
show('key to frame, 5,000 lines, p98 (ms)', keys.p98, keys.peer, 'a one-line file');
show('key to frame, 5,000 lines, p50 (ms)', keys.p50, undefined, '');
process.exit(0);
