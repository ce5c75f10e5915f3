// The rule of Trusted Types under which text may become markup: the server's headers name it. Two use it: the library that takes
// out of outputs whatever could run, and the preview of HTML files, in a document and a frame that run nothing.
import type { Config } from 'dompurify';

type Policy = NonNullable<Config['TRUSTED_TYPES_POLICY']>;

/** The used part of Trusted Types; not every browser has them. */
const { trustedTypes } = window as { trustedTypes?: { createPolicy(name: string, rules: object): Policy } };

/** The rule; undefined where a browser has none. */
export const policy = trustedTypes?.createPolicy('aside-outputs', {
  createHTML: (text: string) => text,
  createScriptURL: () => '',
});

/** A text as markup for a parser or a frame that runs nothing. */
export function inertMarkup(text: string): string {
  return (policy?.createHTML(text) ?? text) as string;
}
