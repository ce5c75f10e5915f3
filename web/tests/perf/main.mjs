// Prints one line a figure, `name<TAB>value<TAB>limit<TAB>peer<TAB>what the peer is`; read by `cargo xtask bench path`.
import { echo } from './echo.mjs';
import { explorer } from './explorer.mjs';
import { show } from './show.mjs';
import { tokens } from './tokens.mjs';
import { showTyping } from './typing.mjs';

const RELAY = 'Yjs relay in Node, memory only';

const token = await tokens();
show('added delay per streamed token, p99 (ms)', token.added, 1, token.addedByPipe, 'bare pipe in Node');
show('added delay per streamed token, p50 (ms)', token.p50);
const typed = await echo();
show("50 clients typing, at another's, p99 (ms)", typed.p99, 50, typed.peer99, RELAY);
show("50 clients typing, at another's, p50 (ms)", typed.p50, '', typed.peer50, RELAY);
await showTyping();
const folder = await explorer();
show('listing a folder of 20,000 files (ms)', folder.listed);
show('opening it in the tree (ms)', folder.opened);
show('scrolling it, frame p98 (ms)', folder.p98);
show('scrolling it, longest frame (ms)', folder.worst);
process.exit(0);
