// What the kernel knows of what is at the caret: asked for with Shift-Tab, gone with Escape or with the next letter.
import { type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { EditorView, keymap, showTooltip, type Tooltip } from '@codemirror/view';
import { plainText } from '../outputs/terminal';
import { announce } from '../ui/Announcer';
import { inspectionAt } from './kernel';
import type { NotebookView } from './view';

const show = StateEffect.define<{ at: number; text: string } | null>();

const shown = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    for (const effect of transaction.effects) if (effect.is(show)) return effect.value && tooltipOf(effect.value);
    return transaction.docChanged || transaction.selection ? null : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

/** Inspection by the kernel. At the beginning of a line, Shift-Tab takes indentation away as elsewhere. */
export function inspection(view: NotebookView): Extension {
  const ask = (editor: EditorView) => {
    const { main } = editor.state.selection;
    const line = editor.state.doc.lineAt(main.head);
    if (!main.empty || /^\s*$/.test(line.text.slice(0, main.head - line.from))) return false;
    void inspect(view, editor, main.head);
    return true;
  };
  const close = (editor: EditorView) => {
    if (!editor.state.field(shown)) return false;
    editor.dispatch({ effects: show.of(null) });
    return true;
  };
  return [
    shown,
    Prec.high(
      keymap.of([
        { key: 'Shift-Tab', run: ask },
        { key: 'Escape', run: close },
      ]),
    ),
    theme,
  ];
}

async function inspect(view: NotebookView, editor: EditorView, at: number): Promise<void> {
  const { doc } = editor.state;
  const text = await inspectionAt(view, doc.toString(), at);
  if (editor.state.doc !== doc || editor.state.selection.main.head !== at) return;
  const words = text === null ? 'No information. The kernel must be running.' : plainText(text).trim();
  editor.dispatch({ effects: show.of({ at, text: words }) });
  announce(words.slice(0, 400));
}

function tooltipOf({ at, text }: { at: number; text: string }): Tooltip {
  const create = () => {
    const dom = document.createElement('pre');
    dom.className = 'cm-inspection';
    dom.tabIndex = 0;
    dom.textContent = text;
    return { dom };
  };
  return { pos: at, above: false, create };
}

const theme = EditorView.baseTheme({
  '.cm-tooltip.cm-inspection': {
    maxWidth: 'min(44rem, 90vw)',
    maxHeight: '18rem',
    margin: '0',
    padding: '8px 12px',
    overflow: 'auto',
    whiteSpace: 'pre-wrap',
    font: '12px/18px var(--font-code)',
  },
});
