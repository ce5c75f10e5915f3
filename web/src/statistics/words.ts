/** The counts of the page *Statistics* in words. Pure. */
import type { ClassCounts, Risk, Statistics } from '../wire/gen/types';

/** The name of a class of actions. */
const CLASSES: Readonly<Record<Risk, string>> = {
  read: 'Read something',
  write: 'Change something',
  destructive: 'Delete or overwrite',
  access: 'Change access',
  billing: 'Cost money',
  network: 'Use the network',
  install: 'Start or install programs',
};

/** Returns the name of a class; without a risk, its actions change only the window. */
export function className({ risk }: ClassCounts): string {
  return risk ? CLASSES[risk] : 'Change the window';
}

/** Returns the actions of a class that ended. */
export function endedOf({ done, failed, refused, interrupted }: ClassCounts): number {
  return done + failed + refused + interrupted;
}

/** Returns a share in whole percent: `67 %`. */
export function percent(part: number, all: number): string {
  return all === 0 ? '–' : `${Math.round((part / all) * 100)} %`;
}

/** Returns a time in the largest unit that fits: `95 s`, `3 min`, `2 h`, `4 days`. */
export function durationWords(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 120 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** Tells whether nothing was counted yet. */
export function isEmpty({ sentences, classes, tasks, first_success }: Statistics): boolean {
  const counts = [sentences.rules, sentences.model, classes.length, tasks.completed, tasks.failed, tasks.cancelled];
  return first_success === undefined && counts.every((count) => count === 0);
}
