/**
 * What an action card says for each state of an action: words, icon, colour, buttons, announcement.
 *
 * ```text
 *             policy: allow
 *  proposed ---------------------------> running --> done ----> undone (Redo)
 *     |  policy: confirm                   ^  |        ^-----------+
 *     +-----------> awaiting --accept------+  +--> failed | interrupted
 *     |  policy: deny   |  ^--- base changed: asked again with a new preview
 *     +--> refused <----+ reject
 * ```
 *
 * Pure. The server owns the state; nothing here decides what may happen, only what is offered.
 */
import type { Tone } from '../ui/Fold';
import type { IconName } from '../ui/Icon';
import type { ActionId, ActionRecord, Failure, Hunk, PartDecision, Preview } from '../wire/gen/types';
import { commandResultOf } from './command';
import { oneLineOf } from './oneLine';
import { titleOf } from './title';

/** What a card can ask the server for. */
export type CardIntent = 'accept' | 'reject' | 'stop' | 'undo' | 'redo';

/** One button of a card. */
export interface CardButton {
  readonly intent: CardIntent;
  readonly label: string;
}

/** What is said aloud when a card comes into a state. */
export interface Announcement {
  readonly text: string;
  readonly assertive: boolean;
}

/** All that depends on the state of an action. */
export interface Card {
  readonly title: string;
  readonly word: string;
  readonly icon: IconName;
  readonly tone: Tone;
  readonly buttons: readonly CardButton[];
  /** Shown without being asked for. */
  readonly open: boolean;
  readonly announcement: Announcement | null;
}

/**
 * Describes an action as its record says it is now. An action that was decided part by part is undone by its
 * parts: `parts` are the records of those that were accepted.
 */
export function cardOf(record: ActionRecord, parts: readonly ActionRecord[] = []): Card {
  const told = plainCard(record, parts);
  const { [told.word]: word = told.word } = isForm(record) ? FORM_WORDS : {};
  return { ...told, word };
}

/** The life cycle of a form with rows to check, in the words that forms of notes and todos have. */
const FORM_WORDS: Readonly<Record<string, string>> = {
  proposed: 'init',
  'waiting for you': 'waiting for user input',
  running: 'submitted',
  done: 'completed',
  failed: 'error',
  rejected: 'canceled',
};

const isForm = ({ preview }: ActionRecord): boolean => preview?.body.kind === 'rows';

function plainCard(record: ActionRecord, parts: readonly ActionRecord[]): Card {
  const title = titleOf(record);
  switch (stateOf(record, parts)) {
    case 'proposed':
      return card(title, 'proposed', 'circle', 'quiet');
    case 'awaiting_confirmation':
      return {
        ...card(title, 'waiting for you', 'hand', 'warn', decisionButtons(record)),
        open: oneLineOf(record) === null,
        announcement: polite(`Needs your confirmation: ${title}. Ctrl-J to review`),
      };
    case 'running':
      return takesTime(record)
        ? { ...card(title, 'running', 'spinner', 'accent', [{ intent: 'stop', label: 'Stop' }]), open: true }
        : card(title, 'running', 'spinner', 'accent');
    case 'done': {
      const command = commandResultOf(record);
      if (command && !command.good) {
        return {
          ...card(title, command.word, 'warning', 'warn', undoButtons(record, parts)),
          open: true,
          announcement: polite(`Ended, ${command.word}: ${title}${canUndo(record) ? '. Undo available' : ''}`),
        };
      }
      return {
        ...card(title, doneWord(record), 'check', 'ok', undoButtons(record, parts)),
        announcement: doneAnnouncement(record, title),
      };
    }
    case 'failed':
      return {
        ...card(title, 'failed', 'error', 'err', undoButtons(record)),
        open: true,
        announcement: { text: `Failed: ${title}. ${failureOf(record)?.message ?? ''}`.trim(), assertive: true },
      };
    case 'refused':
      return {
        ...card(title, refusedWord(record), 'bar', 'quiet'),
        open: failureOf(record)?.code === 'person_only',
        announcement: polite(`Not done: ${title}`),
      };
    case 'interrupted':
      return {
        ...card(title, 'interrupted', 'clock', 'warn', undoButtons(record)),
        open: true,
        announcement: polite(`Interrupted: ${title}`),
      };
    case 'undone':
      return {
        ...card(title, 'undone', 'undo', 'quiet', redoButtons(record, parts)),
        announcement: polite(`Undone: ${title}`),
      };
  }
}

/** Programs and networks take their time; what else runs is over before a button could be pressed. */
function takesTime({ preview, envelope }: ActionRecord): boolean {
  return (
    preview?.body.kind === 'command' || envelope.risk_level.some((risk) => risk === 'network' || risk === 'install')
  );
}

function card(title: string, word: string, icon: IconName, tone: Tone, buttons: readonly CardButton[] = []): Card {
  return { title, word, icon, tone, buttons, open: false, announcement: null };
}

function polite(text: string): Announcement {
  return { text, assertive: false };
}

/** Only what a person waited for is announced when it is done: not every read of a turn. */
function doneAnnouncement(record: ActionRecord, title: string): Announcement | null {
  if (isQuiet(record)) return null;
  return polite(`Done: ${title}${canUndo(record) ? '. Undo available' : ''}`);
}

function decisionButtons(record: ActionRecord): CardButton[] {
  if (isForm(record)) {
    return [
      { intent: 'accept', label: 'Submit' },
      { intent: 'reject', label: 'Cancel' },
    ];
  }
  const several = openParts(record).length > 1;
  return [
    { intent: 'accept', label: several ? 'Accept all' : 'Accept' },
    { intent: 'reject', label: several ? 'Reject all' : 'Reject' },
  ];
}

function undoButtons(record: ActionRecord, parts: readonly ActionRecord[] = []): CardButton[] {
  return toUndo(record, parts).length > 0 ? [{ intent: 'undo', label: 'Undo' }] : [];
}

function redoButtons(record: ActionRecord, parts: readonly ActionRecord[]): CardButton[] {
  return toRedo(record, parts).length > 0 ? [{ intent: 'redo', label: 'Redo' }] : [];
}

/** When all that was accepted is taken back, so is the whole. */
function stateOf(record: ActionRecord, parts: readonly ActionRecord[]): ActionRecord['state'] {
  const takenBack = parts.length > 0 && parts.every((part) => part.state === 'undone');
  return record.state === 'done' && takenBack ? 'undone' : record.state;
}

/** Tells whether it can be taken back now: what that needs may be kept for a time only. */
export function canUndo({ can_undo, undo_until }: ActionRecord, now = Date.now()): boolean {
  return can_undo && (undo_until === undefined || now < undo_until);
}

/** The actions to take back to undo this one: itself, or its accepted parts, the last one first. */
export function toUndo(record: ActionRecord, parts: readonly ActionRecord[]): ActionId[] {
  if (canUndo(record)) return [record.envelope.id];
  return parts
    .filter((part) => part.state === 'done' && canUndo(part))
    .map((part) => part.envelope.id)
    .reverse();
}

/** The actions to take back to do this one again: what took back it, or its parts. */
export function toRedo(record: ActionRecord, parts: readonly ActionRecord[]): ActionId[] {
  if (record.state === 'undone') return record.undone_by ? [record.undone_by] : [];
  return parts.flatMap((part) => (part.state === 'undone' && part.undone_by ? [part.undone_by] : []));
}

/** The actions that carried out the accepted parts. */
export function acceptedParts(record: ActionRecord): ActionId[] {
  // The checked rows of a table are one action.
  return [...new Set(record.parts.flatMap((part) => (part.action ? [part.action] : [])))];
}

function doneWord(record: ActionRecord): string {
  const accepted = record.parts.filter((part) => part.decision === 'approve').length;
  const rejected = record.parts.length - accepted;
  return rejected > 0 ? `done, ${accepted} of ${record.parts.length} changes accepted` : 'done';
}

function refusedWord(record: ActionRecord): string {
  const outcome = record.outcome;
  if (outcome?.kind !== 'refused') return 'not done';
  return { person: 'rejected', policy: 'not allowed', grant: 'not allowed', request: 'not possible' }[outcome.by];
}

/** Why an action did not do what it was asked for; null if it did, or may still. */
export function failureOf(record: ActionRecord): Failure | null {
  const outcome = record.outcome;
  return outcome?.kind === 'failed' || outcome?.kind === 'refused' ? outcome.failure : null;
}

/** Tells whether one line is enough for it: it only read, and that worked. */
export function isQuiet(record: ActionRecord): boolean {
  const risks = record.envelope.risk_level;
  return record.state === 'done' && risks.every((risk) => risk === 'read');
}

/** All changed places of a preview, over all its files. */
export function hunksOf(preview: Preview | null): Hunk[] {
  return preview?.body.kind === 'diff' ? preview.body.files.flatMap((file) => file.hunks) : [];
}

/** The parts on which nothing was decided yet. */
export function openParts(record: ActionRecord): number[] {
  if (record.state !== 'awaiting_confirmation') return [];
  return partsOf(record.preview).filter((part) => !partDecision(record, part));
}

/** The parts of a preview, once each. */
export function partsOf(preview: Preview | null): number[] {
  const body = preview?.body;
  if (body?.kind === 'rows') return [...new Set(body.rows.map((row) => row.part))];
  return hunksOf(preview).map((hunk) => hunk.part);
}

/** What was decided about one part, if anything was. */
export function partDecision(record: ActionRecord, part: number): PartDecision | null {
  return record.parts.find((decided) => decided.part === part) ?? null;
}
