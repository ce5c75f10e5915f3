import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../wire/gen/types';
import { dayWords, groupsOf, merged } from './merge';

const NOON = new Date(2026, 5, 15, 12).getTime();

function message(id: string, part: Partial<ChatMessage> = {}): ChatMessage {
  const author = { person: 'ada', name: 'ada', program: false };
  return { id, chat: 'c', author, at: NOON, text: id, mentions: [], ...part };
}

describe('messages', () => {
  it('stand in order, once, and current', () => {
    const edited = message('2', { text: 'new', edited: NOON + 5 });
    const all = merged([message('2'), message('3')], [message('1'), edited]);
    expect(all.map(({ text }) => text)).toEqual(['1', 'new', '3']);
    expect(merged(all, [message('2')])[1]?.text, 'a late account does not undo a change').toBe('new');
  });

  it('group by person, time and day', () => {
    const ben = { person: 'ben', name: 'Ben', program: false };
    const all = [
      message('1'),
      message('2', { at: NOON + 60_000 }),
      message('3', { at: NOON + 20 * 60_000 }),
      message('4', { at: NOON + 20 * 60_000, author: ben }),
      message('5', { at: NOON + 20 * 60_000, author: ben }),
      message('6', { at: NOON + 86_400_000, author: ben }),
    ];
    const ids = (unread: string | null) => groupsOf(all, unread).map((group) => group.messages.map(({ id }) => id));
    expect(ids(null)).toEqual([['1', '2'], ['3'], ['4', '5'], ['6']]);
    expect(ids('5')).toEqual([['1', '2'], ['3'], ['4'], ['5'], ['6']]);
    expect(groupsOf(all, null).map(({ newDay }) => newDay)).toEqual([true, false, false, true]);
  });

  it('name days as people do', () => {
    expect(dayWords(NOON - 1000, NOON)).toBe('Today');
    expect(dayWords(NOON - 86_400_000, NOON)).toBe('Yesterday');
    expect(dayWords(NOON - 40 * 86_400_000, NOON)).toContain('6');
  });
});
