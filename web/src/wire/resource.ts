// Server data that is read, kept by key, and read again when told.
//
//   const models = useResource<Models>('models');              // { data, failure, loading, reload }
//   invalidate('models');  invalidateWhere((key) => …)         // whoever shows it reads it again
import { useEffect, useSyncExternalStore } from 'react';
import type { Failure } from './gen/types';
import { failureOf, request } from './requests';

/** What is known of a resource. Old data stays while new is read. */
export interface Resource<T> {
  data: T | undefined;
  failure: Failure | undefined;
  loading: boolean;
  reload(): void;
}

interface Entry {
  state: Resource<unknown>;
  watchers: Set<() => void>;
  /** Counts reads, so that a late answer can't replace a newer one. */
  read: number;
}

const entries = new Map<string, Entry>();

/** Reads `GET /api/v1/{path}` once for all components that show it; `null` reads nothing. */
export function useResource<T>(path: string | null): Resource<T> {
  const entry = path === null ? nothing : entryOf(path);
  const state = useSyncExternalStore(
    (watch) => {
      entry.watchers.add(watch);
      return () => entry.watchers.delete(watch);
    },
    () => entry.state,
  );
  useEffect(() => {
    const { data, failure, loading } = entry.state;
    if (path !== null && data === undefined && failure === undefined && !loading) void load(path);
  }, [path, entry]);
  return state as Resource<T>;
}

/** What is known of a resource, for whoever is no component; it is read if nothing is. Undefined if it can't be. */
export async function known<T>(path: string): Promise<T | undefined> {
  if (entryOf(path).state.data === undefined) await load(path);
  return entryOf(path).state.data as T | undefined;
}

/** Reads a resource again if it is shown, else forgets what is known of it. Its entry stays: who is about to show it has it already. */
export function invalidate(path: string): void {
  const entry = entries.get(path);
  if (!entry) return;
  if (entry.watchers.size > 0) return void load(path);
  entry.read++;
  entry.state = { ...nothing.state, reload: entry.state.reload };
}

/** The same for all paths that `matches` accepts. */
export function invalidateWhere(matches: (path: string) => boolean): void {
  for (const path of [...entries.keys()].filter(matches)) invalidate(path);
}

const nothing: Entry = {
  state: { data: undefined, failure: undefined, loading: false, reload: () => {} },
  watchers: new Set(),
  read: 0,
};

function entryOf(path: string): Entry {
  const known = entries.get(path);
  if (known) return known;
  const reload = () => void load(path);
  const state = { data: undefined, failure: undefined, loading: false, reload };
  const entry: Entry = { state, watchers: new Set(), read: 0 };
  entries.set(path, entry);
  return entry;
}

async function load(path: string): Promise<void> {
  const entry = entryOf(path);
  const read = ++entry.read;
  change(entry, { loading: true });
  try {
    const data = await request<unknown>('GET', path);
    if (read === entry.read) change(entry, { data, failure: undefined, loading: false });
  } catch (error) {
    if (read === entry.read) change(entry, { failure: failureOf(error), loading: false });
  }
}

function change(entry: Entry, part: Partial<Resource<unknown>>): void {
  entry.state = { ...entry.state, ...part };
  for (const watch of entry.watchers) watch();
}
