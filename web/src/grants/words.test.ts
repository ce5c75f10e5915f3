import { expect, test } from 'vitest';
import type { Grant, GrantRecord } from '../wire/gen/types';
import { coversWords, limitsOf, NARROW, RISKS, standing, withRisk } from './words';

const grant = (rest: Partial<Grant>): Grant => ({
  id: null,
  within: [],
  name: 'x',
  risks: ['read'],
  paths: [],
  ...rest,
});

test('the default grant only reads for a day', () => {
  expect(limitsOf(NARROW, 0)).toEqual({ risks: ['read'], expires: 24 * 3_600_000 });
});

test('lines are patterns, empty ones none', () => {
  expect(limitsOf({ ...NARROW, actions: 'doc.*, file.read', paths: ' src/** \n\n*.md' }, 0)).toMatchObject({
    actions: ['doc.*', 'file.read'],
    paths: ['src/**', '*.md'],
  });
});

test('says what it covers', () => {
  expect(coversWords(grant({ actions: ['doc.*'], paths: [['src/**', '*.md']] }))).toBe(
    'read; doc.*; under src/** or *.md',
  );
  expect(coversWords(grant({ risks: RISKS.map(({ risk }) => risk) }))).toBe('everything');
});

test('ends by a word or by time', () => {
  const record = (rest: Partial<GrantRecord>) =>
    ({ grant: grant({ expires: 10 }), by: 'ada', created: 0, revoked: null, token: null, ...rest }) as GrantRecord;
  expect([standing(record({}), 9), standing(record({}), 10), standing(record({ revoked: 1 }), 9)]).toEqual([
    'holds',
    'expired',
    'revoked',
  ]);
});

test('risks stay in order of severity', () => {
  expect(withRisk(['destructive', 'read'], 'write', true)).toEqual(['read', 'write', 'destructive']);
  expect(withRisk(['read', 'write'], 'write', false)).toEqual(['read']);
});
