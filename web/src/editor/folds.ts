// Arrows beside what can be folded: drawn as the icons of the window, not as letters of whatever font is there.
import { foldGutter } from '@codemirror/language';

/** The gutter of folds. */
export const folds = foldGutter({
  markerDOM: (open) => {
    const mark = document.createElement('span');
    mark.className = `cm-fold cm-fold-${open ? 'open' : 'closed'}`;
    mark.title = open ? 'Fold' : 'Unfold';
    return mark;
  },
});
