// Pasting into notes: an image becomes a file beside the note and a link to it, an address on selected words becomes their link.
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { isGuest } from '../app/session';
import { folderOf } from '../files/rows';

/** Pastes images and addresses into the note at a path. */
export function notePaste(path: string): Extension {
  return EditorView.domEventHandlers({
    paste: (event, view) => {
      const images = imagesIn(event.clipboardData);
      const text = event.clipboardData?.getData('text/plain') ?? '';
      const pasted = (text === '' && put(images, path, view)) || linkSelection(text, view);
      if (pasted) event.preventDefault();
      return pasted;
    },
    drop: (event, view) => {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      const images = imagesIn(event.dataTransfer);
      if (at === null || images.length === 0) return false;
      event.preventDefault();
      view.dispatch({ selection: { anchor: at } });
      return put(images, path, view);
    },
  });
}

function imagesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}

/** Uploads images and links them at the cursor; tells whether there are any. */
function put(images: readonly File[], path: string, view: EditorView): boolean {
  if (images.length === 0 || isGuest() || view.state.readOnly) return false;
  void upload(images, path, view);
  return true;
}

async function upload(images: readonly File[], path: string, view: EditorView): Promise<void> {
  const { uploadAll } = await import('../files/uploads');
  const files = images.map((image) => (image.name === 'image.png' ? renamed(image) : image));
  const paths = await uploadAll(files, folderOf(path));
  if (paths.length === 0 || !view.dom.isConnected) return;
  const links = paths.map((each) => pictureLink(each.slice(each.lastIndexOf('/') + 1)));
  view.dispatch(view.state.replaceSelection(links.join('\n')), { userEvent: 'input.paste', scrollIntoView: true });
}

/** A picture copied from a screen has no name of its own. */
function renamed(image: File): File {
  const now = new Date();
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('');
  return new File([image], `image ${day} ${time}.png`, { type: image.type });
}

/** A link to a picture in the note's own folder. */
export const pictureLink = (name: string): string =>
  `![${name.replace(/\.[a-z0-9]+$/i, '')}](${encodeURI(name).replaceAll(/[()#?]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)})`;

/** Makes a link of the selected words; tells whether it did. */
function linkSelection(text: string, view: EditorView): boolean {
  const { main, ranges } = view.state.selection;
  const words = view.state.sliceDoc(main.from, main.to);
  const isAddress = /^https?:\/\/\S+$/i.test(text.trim());
  if (!isAddress || ranges.length > 1 || words.trim() === '' || /[\n[\]]|^https?:/i.test(words)) return false;
  view.dispatch(view.state.replaceSelection(`[${words}](${text.trim()})`), { userEvent: 'input.paste' });
  return true;
}
