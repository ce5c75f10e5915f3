// Bullets, numbers and checkboxes of lists. A wrapped line begins under its words.
import type { SyntaxNodeRef } from '@lezer/common';
import type { Drawing } from './drawing';
import { BulletWidget, CheckboxWidget, SpacerWidget } from './widgets';

/** Columns of an indent that a tab goes to. */
const TAB = 4;

/** Draws the mark of an item and the checkbox after it. */
export function listMark(drawing: Drawing, { node, from, to }: SyntaxNodeRef): void {
  const line = drawing.state.doc.lineAt(from);
  const task = /^[ \t]+(\[(.)\])(?=[ \t])/u.exec(line.text.slice(to - line.from));
  const isBullet = node.parent?.parent?.name === 'BulletList';
  const columns = indent(drawing, line.from, from);
  if (!isBullet) drawing.mark(from, to, 'cm-md-number');
  drawing.line(from, 'cm-md-item', { style: `--md-columns: ${columns}` });
  const box = task ? to + task[0].length - (task[1]?.length ?? 0) : to;
  const end = task ? to + task[0].length : to;
  const touched = drawing.touched(isBullet ? from : box, end);
  if (task && !touched) {
    const words = drawing.text(end, line.to).trim();
    drawing.replace(isBullet ? from : box, end, new CheckboxWidget(task[2] ?? ' ', words));
  } else if (isBullet && !touched) drawing.replace(from, to, new BulletWidget());
  if (/^[xX-]$/.test(task?.[2] ?? '')) drawing.mark(drawing.spaceAfter(end), line.to, 'cm-md-done');
}

/** Puts the further lines of an item's own text under its words. */
export function listItem(drawing: Drawing, { node, from }: SyntaxNodeRef): void {
  const { doc } = drawing.state;
  const first = doc.lineAt(from);
  const columns = columnsIn(drawing.text(first.from, from));
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name !== 'Paragraph' && child.name !== 'Task') continue;
    const last = Math.min(child.to, drawing.to);
    for (let at = Math.max(first.to + 1, child.from, drawing.from); at <= last; at = doc.lineAt(at).to + 1) {
      const line = doc.lineAt(at);
      const blank = /^[ \t]+/.exec(line.text)?.[0].length ?? 0;
      // In a quote the mark of the quote stands there.
      if (blank === 0 && columns === null) continue;
      drawing.line(line.from, 'cm-md-rest', { style: `--md-columns: ${columns ?? 0}` });
      if (!drawing.touched(line.from, line.from + blank)) drawing.hide(line.from, line.from + blank);
    }
  }
}

/** The columns of white space; null for other text. */
function columnsIn(text: string): number | null {
  if (/\S/.test(text)) return null;
  return [...text].reduce((columns, char) => columns + (char === '\t' ? TAB - (columns % TAB) : 1), 0);
}

/** Replaces the white space before an item by its columns, unless a cursor is in it; returns how many there are. */
function indent(drawing: Drawing, start: number, from: number): number {
  const text = drawing.text(start, from);
  // In a quote the mark of the quote stands there.
  const columns = columnsIn(text);
  if (text === '' || columns === null) return 0;
  if (!drawing.touched(start + 1, from - 1) || from - start < 2)
    drawing.replace(start, from, new SpacerWidget(columns));
  return columns;
}
