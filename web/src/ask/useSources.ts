/** The sources of the palette's rows: commands, files, actions, threads, and what the server knows of the typed text. */
import { useMemo } from 'react';
import { availableCommands } from '../app/commands';
import { isGuest } from '../app/session';
import type { PaletteMode } from '../app/shell';
import { useAiLevel } from '../assistant/level';
import { useFocus } from '../editor/focus';
import { editsPath, touching } from '../threads/editedLines';
import { useSaid } from '../threads/useSaid';
import { useConnection } from '../wire/connection';
import type { Descriptor, FileNames, Models, ThreadEdit, ThreadEdits } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import type { Sources } from './entries';
import { readHabits } from './habits';
import { recentFiles } from './recentFiles';

const NO_ACTIONS: readonly Descriptor[] = [];
const NO_PATHS: readonly string[] = [];

export const NO_EDITS: readonly ThreadEdit[] = [];

/** The changes of threads to the selected lines, or to the line of the cursor. Null while they are asked for. */
export function useEdits(mode: PaletteMode): readonly ThreadEdit[] | null {
  const focus = useFocus((state) => state.focus);
  const wanted = mode === 'lines' && focus ? editsPath(focus.path) : null;
  const { data, failure } = useResource<ThreadEdits>(wanted);
  return useMemo(() => {
    if (wanted === null || failure) return NO_EDITS;
    const line = focus?.cursor ?? 1;
    return data ? touching(focus?.selection ?? { start: line, end: line }, data.edits) : null;
  }, [focus, data, failure, wanted]);
}

interface Found {
  sources: Sources;
  /** All that is asked of the server has been answered, but for threads. */
  settled: boolean;
  /** There are more files than the server names. */
  cut: boolean;
}

/** The sources for a text as they are known now. */
export function useSources(typed: string, edits: readonly ThreadEdit[]): Found {
  const online = useConnection((state) => state.status === 'online');
  const owner = !isGuest();
  const level = useAiLevel();
  const asks = owner && level !== 'off';
  const names = useResource<FileNames>(online ? 'files/names' : null);
  const catalog = useResource<Descriptor[]>(online && owner ? 'catalog' : null);
  const models = useResource<Models>(online && owner ? 'models' : null);
  const paths = names.data?.paths ?? NO_PATHS;
  const actions = catalog.data ?? NO_ACTIONS;
  const hasModel = models.data?.chosen !== null;
  const said = useSaid(typed);
  const habits = useMemo(readHabits, []);
  const settled = !online || [names, ...(owner ? [catalog] : [])].every(({ data, failure }) => data || failure);
  const sources = useMemo(() => {
    const recent = recentFiles(paths);
    const commands = availableCommands();
    return { commands, paths, recent, actions, said, edits, asks, hasModel, habits, now: Date.now() };
  }, [paths, actions, said, edits, asks, hasModel, habits]);
  return { sources, settled, cut: names.data?.truncated ?? false };
}
