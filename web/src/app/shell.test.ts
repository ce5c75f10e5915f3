import { beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
});

/** A window of so many pixels, as it is when it is opened. */
async function opened(width: number) {
  vi.resetModules();
  vi.stubGlobal('innerWidth', width);
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: width >= Number(/\d+/.exec(query)?.[0]),
    addEventListener: () => {},
  }));
  const shell = await import('./shell');
  const regions = () => {
    const { nav, side, full } = shell.useShell.getState();
    return { nav, side, full };
  };
  return { ...shell, regions };
}

it('opening one region closes the other without room', async () => {
  const { toggleRegion, useShell, regions } = await opened(900);
  toggleRegion('side');
  useShell.setState({ full: true });
  toggleRegion('nav');
  expect(regions()).toEqual({ nav: true, side: false, full: false });
  expect((await opened(900)).regions()).toEqual({ nav: true, side: false, full: false });
  toggleRegion('side', true);
  expect(regions()).toEqual({ nav: false, side: true, full: false });
});

it('both regions stay open where there is room', async () => {
  for (const [width, nav] of [
    [1100, true],
    [500, false],
  ] as const) {
    const { toggleRegion, regions } = await opened(width);
    expect(regions().nav).toBe(nav);
    toggleRegion('nav', true);
    toggleRegion('side', true);
    expect(regions()).toMatchObject({ nav: true, side: true });
  }
});
