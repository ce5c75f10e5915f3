// The colours of a comparison. A sign in the margin says the same as a colour.
import { EditorView } from '@codemirror/view';

export const compareTheme = EditorView.theme({
  '.cm-content': { paddingBottom: '4px' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--del-bg)' },
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine, .cm-changedLine': { backgroundColor: 'var(--add-bg)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'none',
    boxShadow: 'inset 0 -2px 0 var(--err)',
  },
  '&.cm-merge-b .cm-changedText, .cm-changedText': { background: 'none', boxShadow: 'inset 0 -2px 0 var(--ok)' },
  '.cm-deletedChunk': { padding: '0 12px 0 6px' },
  '.cm-deletedLine, .cm-deletedLine del': { textDecoration: 'none' },
  '.cm-changeGutter': { width: '1.2em', padding: '0' },
  '.cm-changeGutter .cm-gutterElement': { textAlign: 'center' },
  '.cm-changeGutter .cm-changedLineGutter, .cm-changeGutter .cm-deletedLineGutter': { background: 'none' },
  '&.cm-merge-b .cm-changedLineGutter::before, .cm-changedLineGutter::before': { content: '"+"', color: 'var(--ok)' },
  '&.cm-merge-a .cm-changedLineGutter::before, .cm-deletedLineGutter::before': { content: '"−"', color: 'var(--err)' },
  '.cm-collapsedLines': {
    padding: '2px 12px',
    background: 'var(--bg-2)',
    color: 'var(--fg-2)',
    font: '400 var(--text-1) / 1.25rem var(--font-ui)',
    cursor: 'pointer',
  },
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '""', margin: '0' },
  '.cm-collapsedLines:hover': { background: 'var(--bg-3)', color: 'var(--fg)' },
});
