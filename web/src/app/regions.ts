// F6 walks through the regions of the window; each gets the focus back where it had it.

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), select:not(:disabled), [tabindex="0"], [contenteditable="true"]';
const last = new Map<string, HTMLElement>();

/** Remembers where the focus was in each region. */
export function rememberFocus(target: EventTarget | null): void {
  if (!(target instanceof HTMLElement)) return;
  const region = target.closest<HTMLElement>('[data-region]')?.dataset.region;
  if (region) last.set(region, target);
}

/** Moves the focus to the next region, or the one before. */
export function focusNextRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter((region) => firstIn(region));
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions[(at + step + regions.length) % regions.length] ?? regions[0];
  if (next) focusIn(next);
}

/** Moves the focus into a region; tells whether it is there. */
export function focusRegion(name: string): boolean {
  const region = document.querySelector<HTMLElement>(`[data-region="${name}"]`);
  return region !== null && focusIn(region);
}

function focusIn(region: HTMLElement): boolean {
  const before = last.get(region.dataset.region ?? '');
  const target = before?.isConnected && region.contains(before) ? before : firstIn(region);
  target?.focus();
  return target !== undefined;
}

function firstIn(region: HTMLElement): HTMLElement | undefined {
  const preferred = region.querySelector<HTMLElement>('[data-first-focus], [contenteditable="true"], textarea');
  if (preferred && preferred.offsetParent !== null) return preferred;
  return [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].find((element) => element.offsetParent !== null);
}
