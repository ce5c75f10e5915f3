/** The keys that answer the card that waits, of whatever kind: an action, a plan, a question in a dialog. */
import { announce } from '../ui/Announcer';

/** The answers that have a key. Their buttons have it as `data-intent`. */
export type Intent = 'accept' | 'reject';

/** The key of each answer. */
export const CARD_KEYS: Record<Intent, string> = { accept: 'Alt-y', reject: 'Alt-n' };

/** Presses the button of the card that waits. One that has to be pressed twice says so. */
export function answerCard(intent: Intent): void {
  const button = buttonOf(intent);
  if (!button) return;
  button.scrollIntoView({ block: 'nearest' });
  const before = button.textContent;
  button.click();
  requestAnimationFrame(() => {
    if (button.isConnected && button.textContent !== before) announce(`${button.textContent}? Press again to confirm.`);
  });
}

/** Tells whether a card waits for an answer in this window. */
export function isCardWaiting(intent: Intent): boolean {
  return buttonOf(intent) !== null;
}

/** Tells whether the keyboard is where a card waits: in a dialog, on the card, or in the side panel with it. */
export function isAtCard(intent: Intent): boolean {
  return nearest(intent) !== null;
}

function buttonOf(intent: Intent): HTMLElement | null {
  return nearest(intent) ?? (openDialog() ? null : first(document, intent));
}

function nearest(intent: Intent): HTMLElement | null {
  const dialog = openDialog();
  if (dialog) return first(dialog, intent);
  const focused = document.activeElement;
  const card = focused?.closest('[data-card]');
  const side = focused?.closest('[data-region="side"]');
  return (card && first(card, intent)) ?? (side && first(side, intent)) ?? null;
}

function openDialog(): Element | undefined {
  return [...document.querySelectorAll('dialog[open]')].at(-1);
}

function first(within: ParentNode, intent: Intent): HTMLElement | null {
  const buttons = within.querySelectorAll<HTMLButtonElement>(`[data-intent="${intent}"]`);
  return [...buttons].find((button) => !button.disabled && button.offsetParent !== null) ?? null;
}
