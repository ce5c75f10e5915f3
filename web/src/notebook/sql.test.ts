import { expect, test } from 'vitest';
import { sqlOf, withSql } from './sql';

test('what a cell does not say is what is usual, and what is usual is not written', () => {
  expect(sqlOf(null)).toEqual({ connection: '', result: 'result' });
  expect(sqlOf('no JSON')).toEqual({ connection: '', result: 'result' });
  expect(sqlOf('{"cell":"sql","connection":"a.db","result":""}')).toEqual({ connection: 'a.db', result: '' });
  expect(withSql('{"cell":"sql","x":1}', { connection: '', result: 'result' })).toBe('{"cell":"sql","x":1}');
  expect(withSql('{"cell":"sql","connection":"a.db"}', { connection: 'b.db', result: 'tides' })).toBe(
    '{"cell":"sql","connection":"b.db","result":"tides"}',
  );
});
