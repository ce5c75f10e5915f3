import { expect, test } from 'vitest';
import { folderOf } from './folders';

const KNOWN = ['/home/me/shop', '/home/me/shop/api', '/home/me/tide/web', '/srv/tide', 'C:\\work\\Quay'];

test('a folder is found by path or name', () => {
  expect(folderOf('', KNOWN)).toEqual({ folder: '' });
  expect(folderOf('/anywhere/', KNOWN)).toEqual({ folder: '/anywhere' });
  expect(folderOf('shop', KNOWN)).toEqual({ folder: '/home/me/shop' });
  expect(folderOf('~/Shop/api', KNOWN)).toEqual({ folder: '/home/me/shop/api' });
  expect(folderOf('quay', KNOWN)).toEqual({ folder: 'C:\\work\\Quay' });
});

test('unknown and ambiguous names are reported', () => {
  expect(folderOf('hop', KNOWN)).toEqual({ problem: 'No folder named “hop” in the history.' });
  expect(folderOf('tide', KNOWN)).toHaveProperty(
    'problem',
    expect.stringContaining('Several folders are named “tide”'),
  );
});
