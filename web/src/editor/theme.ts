// How the editor looks: the tokens' colours, so that light and dark need no second theme.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The icon of folds, in the colour of the text around it. */
const CHEVRON = `url('data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="m4 6 4 4 4-4" fill="none" stroke="#000" stroke-width="1.5"/></svg>',
)}')`;
const MASKED = {
  display: 'block',
  width: '16px',
  height: '100%',
  backgroundColor: 'currentColor',
  maskRepeat: 'no-repeat',
  maskPosition: 'center',
  maskSize: '14px',
};

const rules = EditorView.theme({
  '&': { height: '100%', color: 'var(--fg)', backgroundColor: 'var(--bg)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', fontSize: 'var(--text-editor)', lineHeight: '1.55' },
  '.cm-content': { padding: '4px 0 30vh', caretColor: 'var(--fg)' },
  '.cm-line': { padding: '0 12px 0 6px' },
  '.cm-cursor, .cm-dropCursor': { borderLeft: '2px solid var(--fg)' },
  '.cm-gutters': { color: 'var(--fg-2)', backgroundColor: 'var(--bg)', borderRight: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '3ch', padding: '0 4px 0 12px' },
  '.cm-foldGutter .cm-gutterElement': { width: '16px', padding: '0' },
  '.cm-fold': { ...MASKED, maskImage: CHEVRON, cursor: 'pointer' },
  // A fold that could be made shows itself where the pointer is; one that was made always does.
  '.cm-fold-open': { opacity: '0', transition: 'opacity var(--motion-out)' },
  '.cm-gutters:hover .cm-fold-open, .cm-activeLineGutter .cm-fold-open': {
    opacity: '1',
    transition: 'opacity var(--motion)',
  },
  '.cm-fold-closed': { rotate: '-90deg' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent' },
  // The selection lies below the text and has to be seen through it.
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--line-bg)' },
  '&.cm-focused .cm-activeLineGutter': { color: 'var(--fg)', backgroundColor: 'var(--line-bg)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--select-bg)',
  },
  // Only where the keyboard is: of the many cells of a notebook one has it.
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--line-strong)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--err)' },
  '.cm-searchMatch': { backgroundColor: 'transparent', outline: '1px solid var(--accent)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--select-bg)', outlineWidth: '2px' },
  '.cm-selectionMatch': { backgroundColor: 'var(--bg-3)' },
  '.cm-foldPlaceholder': { color: 'var(--fg-2)', backgroundColor: 'var(--bg-3)', border: '1px solid var(--line)' },
  '.cm-panels': { color: 'var(--fg)', backgroundColor: 'var(--bg-2)', fontFamily: 'var(--font-ui)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-textfield': {
    minHeight: '26px',
    color: 'var(--fg)',
    backgroundColor: 'var(--bg)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-1)',
    fontSize: 'var(--text-2)',
  },
  '.cm-button': {
    minHeight: '26px',
    color: 'var(--fg)',
    background: 'var(--bg)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-1)',
    fontSize: 'var(--text-2)',
  },
  '.cm-tooltip': { color: 'var(--fg)', backgroundColor: 'var(--bg)', border: '1px solid var(--line-strong)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--fg)', background: 'var(--select-bg)' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)' },
  ...completionIcons(),
  '.cm-specialChar': { color: 'var(--err)' },
});

/** The kinds of completions as letters: not every computer has the symbols that CodeMirror draws. */
function completionIcons(): Parameters<typeof EditorView.theme>[0] {
  const kinds: [names: string, letter: string, colour: string][] = [
    ['function method', 'f', 'definition'],
    ['class interface type enum', 'T', 'definition'],
    ['variable constant property', 'v', 'number'],
    ['keyword', 'k', 'keyword'],
    ['namespace', 'm', 'string'],
    ['text', 'a', 'comment'],
  ];
  const all = kinds.map(([names, letter, colour]) => {
    const selector = names.split(' ').map((name) => `.cm-completionIcon-${name}::after`);
    return [selector.join(', '), { content: `"${letter}"`, color: `var(--syn-${colour})` }] as const;
  });
  return {
    '.cm-completionIcon': { width: '1.2em', paddingRight: '6px', fontSize: '0.9em', opacity: '1', textAlign: 'center' },
    ...Object.fromEntries(all),
  };
}

/** Which colour each kind of code has; also for code that is shown without an editor. */
export const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.controlKeyword], color: 'var(--syn-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.attributeValue], color: 'var(--syn-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color], color: 'var(--syn-number)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--syn-comment)', fontStyle: 'italic' },
  { tag: [tags.definition(tags.variableName), tags.function(tags.variableName)], color: 'var(--syn-definition)' },
  {
    tag: [tags.function(tags.propertyName), tags.className, tags.typeName, tags.tagName],
    color: 'var(--syn-definition)',
  },
  { tag: [tags.attributeName, tags.propertyName, tags.labelName, tags.macroName], color: 'var(--syn-number)' },
  { tag: tags.heading, color: 'var(--syn-definition)', fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent)', textDecoration: 'underline' },
  { tag: tags.monospace, color: 'var(--syn-string)' },
  { tag: tags.quote, color: 'var(--syn-comment)' },
  { tag: tags.invalid, color: 'var(--err)' },
]);

/** Rules and colours together. */
export const editorTheme: Extension = [rules, syntaxHighlighting(colours)];
