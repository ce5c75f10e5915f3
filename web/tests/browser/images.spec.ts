import { expect, test } from 'vitest';
import { violations } from './axe';
import { eachInWindow } from './each';
import { editor } from './support';

/** Two by two pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFklEQVR4nGP8z8DwnwEJMCFzQHwAFEMCAwqUPfEAAAAASUVORK5CYII=',
  'base64',
);
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">
  <script>parent.ran = true; top.ran = true</script>
  <rect width="40" height="30" fill="teal" onload="top.ran = true"/>
</svg>
`;
const at = eachInWindow({ 'dot.png': PNG, 'box.svg': SVG, 'broken.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]) });

const open = (name: string) => at.page.getByRole('treeitem', { name, exact: true }).click();

test('an image has a size and a zoom', async () => {
  await open('dot.png');
  const image = at.page.getByRole('img', { name: 'dot.png' });
  await at.page.getByText(/^2 × 2 · \d+ B$/).waitFor();
  const width = async () => (await image.boundingBox())?.width;
  await at.page.getByRole('button', { name: '100 %' }).click();
  await expect.poll(width).toBe(2);
  await at.page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(width).toBe(2.5);
  await at.page.getByRole('button', { name: 'Fit' }).click();
  await expect.poll(width).toBe(2);
  expect(await violations(at.page)).toEqual([]);
});

test('an SVG is shown without running its scripts', async () => {
  await open('box.svg');
  await at.page.getByText('40 × 30').waitFor();
  expect(await at.page.evaluate(() => 'ran' in window)).toBe(false);
  await at.page.getByRole('button', { name: 'Edit source' }).click();
  await editor(at.page, 'box.svg').waitFor();
});

test('a broken image says so', async () => {
  await open('broken.png');
  await at.page.getByRole('heading', { name: 'broken.png can’t be shown' }).waitFor();
});
