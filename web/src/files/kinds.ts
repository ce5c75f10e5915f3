// The table of kinds of files, as the server has it, and how a name is looked up in it. Not loaded at the start: who
// only wants to show an icon asks `kind.ts`.
import type { IconName } from '../ui/Icon';
import { FILE_KINDS } from '../wire/gen/fileKinds';
import type { FileAgent, FileEditor, FileIcon, FileKind } from '../wire/gen/types';

/** What the table says of a kind. */
export interface FileFacts {
  readonly title: string;
  readonly editor: FileEditor;
  readonly agent: FileAgent;
  readonly icon: IconName;
  /** Long lines are wrapped. */
  readonly wraps: boolean;
  /** Programs that format it, the best first. */
  readonly formatters: readonly string[];
}

const ICONS: Record<FileIcon, IconName> = {
  code: 'fileCode',
  text: 'fileText',
  data: 'fileData',
  shell: 'fileShell',
  settings: 'fileSettings',
  table: 'fileTable',
  notebook: 'fileNotebook',
  image: 'fileImage',
  pdf: 'filePdf',
  media: 'play',
  binary: 'file',
};

/** Returns what is to be known of a kind. */
export function factsOf(kind: FileKind): FileFacts {
  const [title, editor, agent, icon, wraps, , , formatters] = FILE_KINDS[kind];
  return { title, editor, agent, icon: ICONS[icon], wraps, formatters };
}

/** Returns the icon of a file of a kind. The source of SVG is XML, and it is shown as an image. */
export function iconOf(kind: FileKind, path: string): IconName {
  return kind === 'xml' && /\.svg$/i.test(path) ? 'fileImage' : factsOf(kind).icon;
}

/**
 * The kind that a name says, as the server reads names: the whole one, what is before its first dot, the longest ending,
 * a beginning. A notebook is one whatever its name begins with.
 */
export function kindOfName(path: string): FileKind | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const ending = kindOfEnding(name);
  if (ending === 'notebook') return ending;
  const whole = NAMES.get(name);
  if (whole) return whole;
  const [start, kind] = STARTS.find(([start]) => name.startsWith(start)) ?? ['', null];
  // Plain text can be in any language: an ending says more.
  const isStem = kind !== null && kind !== 'plain' && (start.endsWith('.') || name[start.length] === '.');
  return isStem ? kind : (ending ?? kind);
}

/** The longest ending that is known: `tar.gz` before `gz`. */
function kindOfEnding(name: string): FileKind | null {
  for (let dot = name.indexOf('.', 1); dot > 0; dot = name.indexOf('.', dot + 1)) {
    const kind = ENDINGS.get(name.slice(dot + 1));
    if (kind) return kind;
  }
  return null;
}

const NAMES = new Map<string, FileKind>();
const STARTS: [string, FileKind][] = [];
const ENDINGS = new Map<string, FileKind>();
for (const [key, row] of Object.entries(FILE_KINDS)) {
  const kind = key as FileKind;
  for (const ending of row[5].split(' ')) if (ending) ENDINGS.set(ending, kind);
  for (const name of row[6].split(' ')) {
    if (name.endsWith('*')) STARTS.push([name.slice(0, -1), kind]);
    else if (name) NAMES.set(name, kind);
  }
}
