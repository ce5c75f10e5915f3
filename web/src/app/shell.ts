// Which regions are open, per width of the window; remembered on this machine.
import { create } from 'zustand';

/** `wide` from 1280, `medium` from 768, else `narrow`. */
export type Width = 'wide' | 'medium' | 'narrow';

/**
 * The first list of the palette. `lines` are the threads that changed the selected lines, `compare` the files to compare
 * this one with.
 */
export type PaletteMode = 'all' | 'files' | 'recent' | 'compare' | 'lines';

/** The views in the place of the explorer. */
export type NavView = 'files' | 'search' | 'find';

/** The state of the shell. */
export interface ShellState {
  width: Width;
  /** The explorer beside the rail; when narrow, a drawer. */
  nav: boolean;
  navView: NavView;
  /** The assistant beside the frames; when narrow, a modal panel. */
  side: boolean;
  /** The assistant has the place of the documents; they are still there behind it. */
  full: boolean;
  sideSize: number;
  navSize: number;
  palette: PaletteMode | null;
  /** The text that the palette opens with. */
  typed: string;
  help: boolean;
}

/** Smallest, largest and first size of the regions, in pixels. */
export const SIDE_SIZE = { min: 280, max: 560, first: 384 };
export const NAV_SIZE = { min: 180, max: 480, first: 248 };

/** The fewest pixels that documents keep between the regions. */
const DOCUMENT = 320;
const RAIL = 48;

const KEY = 'aside.shell';
const QUERIES = { wide: matchMedia('(min-width: 1280px)'), medium: matchMedia('(min-width: 768px)') };

type Kept = Partial<
  Record<`${Width}.${'nav' | 'side'}`, boolean> & { sideSize: number; navSize: number; navView: NavView }
>;

/** The shell's state, for components. */
export const useShell = create<ShellState>(() => ({
  ...open(currentWidth()),
  full: false,
  navView: kept().navView ?? 'files',
  sideSize: kept().sideSize ?? SIDE_SIZE.first,
  navSize: kept().navSize ?? NAV_SIZE.first,
  palette: null,
  typed: '',
  help: false,
}));

for (const query of Object.values(QUERIES)) {
  query.addEventListener('change', () => useShell.setState(open(currentWidth())));
}

/** Opens or closes the explorer or the side, and remembers it for this width. Where both would leave documents no room, the
 *  other one gives way. */
export function toggleRegion(region: 'nav' | 'side', to = !useShell.getState()[region]): void {
  const { width, navSize, sideSize, nav, side } = useShell.getState();
  const open = { nav, side, [region]: to };
  if (to && open.nav && open.side && !haveRoom(width, navSize, sideSize))
    open[region === 'nav' ? 'side' : 'nav'] = false;
  useShell.setState({ ...open, ...(!open.side && { full: false }) });
  if (width !== 'narrow') keep({ [`${width}.nav`]: open.nav, [`${width}.side`]: open.side });
}

/** Shows one of the views beside the rail, and remembers it. */
export function showNav(navView: NavView): void {
  useShell.setState({ navView });
  keep({ navView });
  toggleRegion('nav', true);
}

/** Sets the size of a region, and remembers it. */
export function resizeRegion(region: 'nav' | 'side', size: number): void {
  const { min, max } = region === 'nav' ? NAV_SIZE : SIDE_SIZE;
  const next = Math.round(Math.min(max, Math.max(min, size)));
  useShell.setState(region === 'nav' ? { navSize: next } : { sideSize: next });
  keep(region === 'nav' ? { navSize: next } : { sideSize: next });
}

/** Opens the palette, with a text in its field if one is given. */
export function openPalette(mode: PaletteMode = 'all', typed = ''): void {
  useShell.setState({ palette: mode, typed });
}

function currentWidth(): Width {
  if (QUERIES.wide.matches) return 'wide';
  return QUERIES.medium.matches ? 'medium' : 'narrow';
}

function open(width: Width): Pick<ShellState, 'width' | 'nav' | 'side'> {
  if (width === 'narrow') return { width, nav: false, side: false };
  const first = { nav: innerWidth >= 1024, side: width === 'wide' };
  const { navSize = NAV_SIZE.first, sideSize = SIDE_SIZE.first, ...is } = kept();
  const side = is[`${width}.side`] ?? first.side;
  const nav = (is[`${width}.nav`] ?? first.nav) && !(side && !haveRoom(width, navSize, sideSize));
  return { width, nav, side };
}

/** Tells whether both regions leave documents room. When narrow they lie over them. */
function haveRoom(width: Width, navSize: number, sideSize: number): boolean {
  return width !== 'medium' || innerWidth - RAIL - navSize - sideSize >= DOCUMENT;
}

function kept(): Kept {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') as Kept) ?? {};
  } catch {
    return {};
  }
}

function keep(part: Kept): void {
  localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...part }));
}
