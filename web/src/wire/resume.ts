// What a connection has to say to pick up where the last one broke off. Pure.
import type { ClientFrame, DocumentName, EpochId, ThreadId } from './gen/types';

/** A document somebody holds open. */
export interface WantedDocument {
  document: DocumentName;
  /** The epoch of the copy we hold; none before the first answer. */
  epoch: EpochId | null;
}

/** What has to be asked for again after a reconnect. */
export interface Wanted {
  /** Last `seq` seen, by thread. */
  threads: ReadonlyMap<ThreadId, number>;
  /** By request number. */
  documents: ReadonlyMap<number, WantedDocument>;
}

/** Frames to send after the server's hello. */
export function resumeFrames(wanted: Wanted, focused: boolean): ClientFrame[] {
  const frames: ClientFrame[] = [];
  if (focused) frames.push({ type: 'focused' });
  for (const [request, { document, epoch }] of wanted.documents) {
    frames.push({ type: 'open_document', request, document, epoch });
  }
  for (const [thread, after] of wanted.threads) frames.push({ type: 'subscribe', thread, after });
  return frames;
}

/** Milliseconds before attempt `attempt` (from 0): doubling up to 8 s, `random` in 0..1 spreads many windows. */
export function backoff(attempt: number, random: number): number {
  const longest = Math.min(8000, 250 * 2 ** attempt);
  return Math.round(longest * (0.5 + random / 2));
}

/**
 * Tells whether an entry of a thread's log comes right after `last`. Entries are numbered without gaps: a later
 * one is dropped, for the backlog that was asked for brings it again in its place.
 */
export function isNext(last: number, seq: number): boolean {
  return seq === last + 1;
}
