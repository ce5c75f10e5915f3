// Colours that markup names for its letters, which are often meant for a ground that is not this one.
import { readable } from './readable';

/** Makes letters readable for which the markup below an element names a colour and no ground to stand on. */
export function makeReadable(root: ParentNode): void {
  for (const element of root.querySelectorAll('[style*="color"], [mathcolor]')) {
    const { style } = element as Element & Partial<ElementCSSInlineStyle>;
    const chosen = style?.color || element.getAttribute('mathcolor');
    if (!style || !chosen || hasGround(element, root)) continue;
    style.setProperty('color', readable(chosen), style.getPropertyPriority('color'));
  }
}

function hasGround(element: Element, root: ParentNode): boolean {
  for (let at: Element | null = element; at && at !== root; at = at.parentElement) {
    const { backgroundColor, backgroundImage } = getComputedStyle(at);
    if (backgroundImage !== 'none' || backgroundColor !== 'rgba(0, 0, 0, 0)') return true;
  }
  return false;
}
