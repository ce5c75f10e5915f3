// An HTML file with the files of the workspace that it names put into it: a frame without an origin can't ask for them.
import { fetchBytes } from '../files/bytes';
import { linkTarget, pictureKind } from '../markdown/rules';
import { inertMarkup } from '../outputs/policy';
import { dataUrl } from '../ui/dataUrl';

/** The most bytes of all the files that are put in. */
const MOST = 30 << 20;

/** Returns the page with its pictures, styles and scripts in it. Those that are elsewhere, or gone, stay names. */
export async function inlined(text: string, path: string): Promise<string> {
  const page = new DOMParser().parseFromString(inertMarkup(text), 'text/html');
  const room = { left: MOST };
  const named = page.querySelectorAll('img[src], link[rel~="stylesheet"][href], script[src]');
  await Promise.all([...named].map((element) => putIn(element, path, room)));
  return page.documentElement.outerHTML;
}

async function putIn(element: Element, from: string, room: { left: number }): Promise<void> {
  const name = element.tagName === 'LINK' ? 'href' : 'src';
  const target = linkTarget(element.getAttribute(name) ?? '', from);
  if (target?.kind !== 'path') return;
  const fetched = await fetchBytes(target.path, null).catch(() => null);
  if (!fetched || fetched.data.byteLength > room.left) return;
  room.left -= fetched.data.byteLength;
  if (element.tagName === 'IMG') {
    element.setAttribute('src', await dataUrl(new Blob([fetched.data], { type: pictureKind(target.path) ?? '' })));
    return;
  }
  const inline = element.ownerDocument.createElement(element.tagName === 'LINK' ? 'style' : 'script');
  // A text of its own document: nothing of it runs here.
  inline.append(element.ownerDocument.createTextNode(new TextDecoder().decode(fetched.data)));
  if (element.getAttribute('type')) inline.setAttribute('type', element.getAttribute('type') ?? '');
  element.replaceWith(inline);
}
