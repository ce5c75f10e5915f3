// The note that an editor shows, for all parts of its preview.
import { Facet } from '@codemirror/state';
import type { WorkspacePath } from '../wire/gen/types';

/** The path of the note. */
export const notePath = Facet.define<WorkspacePath, WorkspacePath>({ combine: (paths) => paths[0] ?? '' });
