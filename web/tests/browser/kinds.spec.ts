// Walks every kind of editor: what a file shows as, which language it is read in, and whether an agent is beside it.
import { describe, expect, it } from 'vitest';
import { violations } from './axe';
import { eachInWindow } from './each';
import { editor } from './support';

/** A PDF of one page, without a word. */
const PDF = [
  '%PDF-1.4',
  '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
  '2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj',
  '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >> endobj',
  'trailer << /Size 4 /Root 1 0 R >>',
  '%%EOF',
].join('\n');
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);
const at = eachInWindow({
  'model.PY': 'def tide(t):\n    return t\n',
  run: '#!/usr/bin/env -S uv run python\ndef tide(t):\n    return t\n',
  Dockerfile: 'FROM debian:stable\nRUN true\n',
  Makefile: '# all of it\nall:\n\techo done\n',
  '.gitignore': 'target/\n',
  settings: '{"depth": 3}\n',
  LICENSE: 'Do as you like.\n',
  'license_manager.py': 'def tide(t):\n    return t\n',
  'paper.tex': '% a paper\n\\documentclass{article}\n',
  'data.csv': 'hour,height\n0,1.5\n',
  'notes.ipynb':
    '{"cells": [{"cell_type": "raw", "metadata": {}, "source": []}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}\n',
  'dockerfile-intro.ipynb':
    '{"cells": [{"cell_type": "raw", "metadata": {}, "source": []}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}\n',
  'plot.png': PNG,
  'paper.pdf': PDF,
  'no-ending': PNG,
  'data.bin': new Uint8Array([1, 0, 2, 0]),
});

const composer = () => at.page.getByRole('textbox', { name: 'Message to the assistant' });
const none = () => at.page.getByRole('region', { name: 'No agent for this file' });
const open = (name: string) => at.page.getByRole('treeitem', { name, exact: true }).click();

describe('a file', () => {
  it('that is text opens in its language, with the Coding Agent beside it', async () => {
    for (const [name, coloured] of [
      ['model.PY', 'def'],
      ['run', 'def'],
      ['Dockerfile', 'FROM'],
      ['Makefile', '# all of it'],
      ['.gitignore', null],
      ['settings', '3'],
      ['LICENSE', null],
      ['license_manager.py', 'def'],
      ['paper.tex', '% a paper'],
    ] as const) {
      await open(name);
      await editor(at.page, name).waitFor();
      if (coloured) await editor(at.page, name).locator('.cm-line span', { hasText: coloured }).first().waitFor();
      await composer().waitFor();
      expect(await none().count(), name).toBe(0);
    }
  });

  it('that is a table opens as its rows', async () => {
    await open('data.csv');
    await at.page.getByRole('gridcell', { name: '1.5' }).waitFor();
    await composer().waitFor();
  });

  it('that is a notebook opens as its cells, with an agent beside it', async () => {
    for (const name of ['notes.ipynb', 'dockerfile-intro.ipynb']) {
      await open(name);
      await at.page.getByRole('tab', { name, exact: true, selected: true }).waitFor();
      await at.page.getByRole('feed').waitFor();
      await composer().waitFor();
      expect(await none().count(), name).toBe(0);
    }
  });

  it('that is a PDF opens as its pages, without a Coding Agent', async () => {
    await open('paper.pdf');
    await at.page.getByRole('region', { name: 'Pages of paper.pdf' }).waitFor();
    await none().getByText('paper.pdf is a PDF. The Coding Agent works only on text.').waitFor();
    expect(await composer().count()).toBe(0);
  });

  it('that is an image or bytes says so, and has no Coding Agent but a way on', async () => {
    // These images are only their first bytes.
    for (const [name, title, heading] of [
      ['plot.png', 'is an image', 'can’t be shown'],
      ['no-ending', 'is an image', 'can’t be shown'],
    ] as const) {
      await open(name);
      await at.page.getByRole('heading', { name: `${name} ${heading}` }).waitFor();
      await none().getByText(`${name} ${title}. The Coding Agent works only on text.`).waitFor();
      expect(await composer().count(), name).toBe(0);
      expect(await violations(at.page)).toEqual([]);
    }
  });

  it('that is only bytes shows them', async () => {
    await open('data.bin');
    await at.page.getByRole('region', { name: 'Bytes of data.bin' }).getByText('01').first().waitFor();
    await none().getByText('data.bin is a binary file. The Coding Agent works only on text.').waitFor();
    expect(await composer().count()).toBe(0);
    expect(await violations(at.page)).toEqual([]);
  });

  it('that is an image can be asked about by its name', async () => {
    await open('plot.png');
    await none().getByRole('button', { name: 'Ask about this image' }).click();
    await expect.poll(() => composer().inputValue()).toBe('@plot.png ');
    await expect.poll(() => composer().evaluate((field) => field === document.activeElement)).toBe(true);
    await open('LICENSE');
    await open('data.bin');
    await none().waitFor();
  });
});
