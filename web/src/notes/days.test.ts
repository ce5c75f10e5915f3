import { expect, it } from 'vitest';
import { dailyFolder, dayName } from './days';
import { filled, templatesIn } from './templates';

it('daily notes go where the latest one is', () => {
  expect(dailyFolder(['a.md', 'old/2025-01-01.md', 'journal/2026-01-02.md'])).toBe('journal');
  expect(dailyFolder(['2026-01-02.md'])).toBe('');
  expect(dailyFolder(['a.md'])).toBe('daily');
});

it('a template has its places filled', () => {
  const now = new Date(2026, 10, 27, 9, 5);
  expect(dayName(now)).toBe('2026-11-27');
  expect(filled('# {{title}} {{ Date }} {{time}} {{x}}', 'Plan', now)).toBe('# Plan 2026-11-27 09:05 {{x}}');
  expect(templatesIn(['templates/Daily.md', 'Templates/m/Meeting.md', 'a/templates/b.md'])).toEqual([
    { path: 'templates/Daily.md', name: 'Daily' },
    { path: 'Templates/m/Meeting.md', name: 'm/Meeting' },
  ]);
});
