// Takes out of markup whatever could run, reach a network, or pass for a part of this page. The one place where text
// becomes markup of this page; only the library reads it, in a document that runs nothing.
import DOMPurify, { type Config } from 'dompurify';
import { linkTarget } from '../markdown/rules';
import { policy } from './policy';

/** What asks for input, or lies over other things; of what is ticked, that opens parts of an output, see below. */
const FORBIDDEN = ['form', 'button', 'select', 'textarea', 'option', 'dialog', 'audio', 'video', 'picture', 'source'];

const CONFIG: Config = {
  RETURN_DOM_FRAGMENT: true,
  FORBID_TAGS: FORBIDDEN,
  FORBID_ATTR: [
    'srcset',
    'background',
    'poster',
    'popover',
    'popovertarget',
    'contenteditable',
    'autofocus',
    'tabindex',
  ],
  ALLOW_DATA_ATTR: false,
  // Styles stay that stand first, and the names by which they find what they are for: both end at the root that this is
  // put into, where nothing is found under a name from outside.
  FORCE_BODY: true,
  ...(policy && { TRUSTED_TYPES_POLICY: policy }),
};

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') leadOn(node);
  for (const name of ['src', 'href', 'xlink:href']) {
    const value = node.getAttribute(name);
    if (value !== null && !isHarmless(node, value)) node.removeAttribute(name);
  }
  if (node.tagName === 'IMG' && !node.hasAttribute('src')) node.replaceWith(namedPicture(node));
});

DOMPurify.addHook('uponSanitizeElement', (node, { tagName }) => {
  // What is put before it is not looked at any more.
  if (!(node instanceof Element)) return;
  if (tagName === 'iframe') node.before(...namedPage(node));
  if (tagName === 'input' && !/^(checkbox|radio)$/i.test(node.getAttribute('type') ?? '')) node.remove();
});

/** Markup as nodes that do nothing, for a root of its own. */
export function sanitised(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, CONFIG) as unknown as DocumentFragment;
}

/** The attribute of a link to a file or a place of the document. */
export const LINK = 'data-link';

/** A link within the workspace is followed by the page around, see `Html.tsx`; others open elsewhere. */
function leadOn(link: Element): void {
  const address = link.getAttribute('href')?.trim() ?? '';
  const target = linkTarget(address, '');
  const isInside = target?.kind === 'heading' || /^[^:?\\]+$/.test(address.split('#')[0] ?? '');
  if (address === '' || !isInside || address.startsWith('//')) return toOutside(link);
  link.setAttribute(LINK, address);
  link.setAttribute('href', '#');
}

/** Links open elsewhere and say nothing of where they were; pictures are only what the output itself brought. */
function isHarmless(node: Element, value: string): boolean {
  if (node.tagName === 'A') return /^(https?:|mailto:|#)/i.test(value.trim());
  return /^data:image\//i.test(value.trim()) || value.startsWith('#');
}

/** A picture from elsewhere is not fetched: its name stands there. */
function namedPicture(picture: Element): Node {
  const name = picture.getAttribute('alt');
  return document.createTextNode(name ? `[image: ${name}]` : '');
}

/** Nor is a page: where it is stands there. */
function namedPage(frame: Element): (Node | string)[] {
  const address = frame.getAttribute('src')?.trim() ?? '';
  if (!/^https?:/i.test(address)) return address === '' ? [] : [`[page: ${address}]`];
  const link = document.createElement('a');
  link.href = address;
  link.textContent = address;
  toOutside(link);
  return ['[page: ', link, ']'];
}

function toOutside(link: Element): void {
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
}
