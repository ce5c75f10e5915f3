// Templates of notes: the Markdown files of the folder `templates`. Pure.
import { dayName, timeName } from './days';

/** A template. */
export interface Template {
  readonly path: string;
  readonly name: string;
}

/** The templates among the files of a workspace. */
export function templatesIn(paths: readonly string[]): Template[] {
  return paths.flatMap((path) => {
    const name = /^_?templates\/(.+)\.md$/i.exec(path)?.[1];
    return name === undefined ? [] : [{ path, name }];
  });
}

/** A template with its places filled: `{{title}}`, `{{date}}`, `{{time}}`. */
export function filled(text: string, title: string, now: Date): string {
  const values: Readonly<Record<string, string>> = { title, date: dayName(now), time: timeName(now) };
  return text.replaceAll(
    /\{\{\s*(title|date|time)\s*\}\}/gi,
    (whole, name: string) => values[name.toLowerCase()] ?? whole,
  );
}
