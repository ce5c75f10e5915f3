// CodeMirror with line numbers and Python, and nothing around it: what the same keys cost at the least.
import { defaultKeymap } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import { defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';

const doc = await (await fetch('/long.py')).text();
const extensions = [lineNumbers(), python(), syntaxHighlighting(defaultHighlightStyle), keymap.of(defaultKeymap)];
new EditorView({ doc, extensions, parent: document.body });
