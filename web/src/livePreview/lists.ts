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

/** Replaces the white space before an item by its columns, unless a cursor is in it; returns how many there are. */
function indent(drawing: Drawing, start: number, from: number): number {
  const text = drawing.text(start, from);
  // In a quote the mark of the quote stands there.
  if (text === '' || /\S/.test(text)) return 0;
  let columns = 0;
  for (const char of text) columns = char === '\t' ? columns + TAB - (columns % TAB) : columns + 1;
  if (!drawing.touched(start + 1, from - 1) || from - start < 2)
    drawing.replace(start, from, new SpacerWidget(columns));
  return columns;
}
