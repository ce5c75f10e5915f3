import { expect, test } from 'vitest';
import { editRecord, hunk } from '../testing/records';
import type { AuditRecord, Descriptor } from '../wire/gen/types';
import { endOf, subjectOf, whoWords, whyNoUndo } from './words';

const audit = (rest: Partial<AuditRecord>) =>
  ({
    origin: { kind: 'turn', user: 'ada', thread: 't', turn: 'u', step: 1, call: 'c' },
    rule: 'default/write',
    ruling: 'allow',
    ...rest,
  }) as AuditRecord;

test('names the requester and the decider', () => {
  expect(whoWords(audit({}))).toBe('the assistant, for ada · rule default/write');
  const program = { kind: 'mcp', user: 'ada', client: 'editor', session: '1f3a' } as const;
  expect(whoWords(audit({ origin: program }))).toBe('editor over MCP (session 1f3a), for ada · rule default/write');
  expect(whoWords(audit({ decided_by: 'bob' }))).toBe('the assistant, for ada · approved by bob');
  const rejected = audit({ decided_by: 'bob', outcome: { kind: 'refused', by: 'person', text: '' } });
  expect(whoWords(rejected)).toContain('rejected by bob');
  expect(endOf(rejected).word).toBe('rejected');
  expect(whoWords(audit({ ruling: 'deny', rule: 'builtin/agent-config' }))).toContain('denied by builtin/agent-config');
});

test('failed command is named and no success', () => {
  const ran = audit({
    args: { command: 'make test' },
    targets: [],
    outcome: { kind: 'done', code: 'ran_badly', text: '' },
  });
  expect(subjectOf(ran)).toBe('make test');
  expect(endOf(ran)).toMatchObject({ icon: 'warning', tone: 'warn' });
  expect(subjectOf(audit({ args: { argv: ['ls', '-l'] }, targets: [] }))).toBe('ls -l');
  expect(subjectOf(audit({ args: {}, targets: [{ kind: 'file', id: 'a.md' }] }))).toBe('a.md');
});

test('a missing undo has a reason', () => {
  const done = editRecord([hunk(0, 1, ['a'], ['b'])], { state: 'done' });
  expect(whyNoUndo({ ...done, can_undo: true }, undefined)).toBe(null);
  expect(whyNoUndo({ ...done, can_undo: true, undo_until: 1 }, undefined)).toContain('was kept until');
  expect(whyNoUndo({ ...done, state: 'undone' }, undefined)).toContain('Already undone');
  expect(whyNoUndo(done, { undo: 'none' } as Descriptor)).toContain('doc.edit');
  expect(whyNoUndo({ ...done, state: 'awaiting_confirmation' }, undefined)).toBe(null);
});
