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
  const usable = before?.isConnected && region.contains(before) && before.offsetParent !== null;
  const target = usable ? before : firstIn(region);
  target?.focus();
  return target !== undefined;
}

function firstIn(region: HTMLElement): HTMLElement | undefined {
  return visibleIn(region, '[data-first-focus], [contenteditable="true"], textarea') ?? visibleIn(region, FOCUSABLE);
}

function visibleIn(region: HTMLElement, selector: string): HTMLElement | undefined {
  return [...region.querySelectorAll<HTMLElement>(selector)].find((element) => element.offsetParent !== null);
}
