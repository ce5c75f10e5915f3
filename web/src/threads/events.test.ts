import { expect, test } from 'vitest';
import { forSeeds, type Random } from '../testing/random';
import { editRecord, hunk, TYPED } from '../testing/records';
import type { Cost, LiveDelta, ThreadEvent, ThreadEventBody, ToolCall, Usage } from '../wire/gen/types';
import { actionsOf, again, applyDelta, applyEvent, EMPTY_THREAD, openStep, openTurn, type ThreadView } from './events';

const USAGE: Usage = {
  input: 10,
  output: 5,
  cache_read: null,
  cache_write: null,
  cache_write_hour: null,
  reasoning: null,
};
const COST: Cost = { picodollars: 0, unknown: 0, at_most: 0, local: 0, milliseconds: 0 };
const STARTED: ThreadEventBody = {
  type: 'turn_started',
  turn: 'trn_1',
  text: 'Make it faster',
  focus: null,
  model: 'rehearsal/demo',
  by: 'ada',
};
const CALL: ToolCall = { id: 'call_1', name: 'doc_edit', args: {}, from_text: false };

function log(...bodies: ThreadEventBody[]): ThreadEvent[] {
  return bodies.map((body, index) => ({ seq: index + 1, at: index, body }));
}

function fold(events: readonly ThreadEvent[], from: ThreadView = EMPTY_THREAD): ThreadView {
  return events.reduce(applyEvent, from);
}

function stepEnded(text: string, calls: ToolCall[] = []): ThreadEventBody {
  return {
    type: 'step_ended',
    turn: 'trn_1',
    step: 1,
    text,
    thinking: '',
    calls,
    usage: USAGE,
    cost: COST,
    stop: { kind: 'end' },
  };
}

/** Cuts a text at random places, some pieces overlapping the one before. */
function cut(random: Random, text: string): LiveDelta[] {
  const deltas: LiveDelta[] = [];
  for (let at = 0; at < text.length; ) {
    const end = Math.min(text.length, at + 1 + random.below(9));
    const offset = Math.max(0, at - random.below(4));
    deltas.push({ type: 'text', turn: 'trn_1', step: 1, offset, text: text.slice(offset, end) });
    at = end;
  }
  return deltas;
}

const TEXT = 'Résumé: the loop is **O(n²)** 🎉, so I sort first.\n\n```py\nxs.sort()\n```\n';
const RUNNING = fold(log(STARTED, { type: 'step_started', turn: 'trn_1', step: 1, provenance: TYPED }));

test('pieces in any order give the text', () => {
  forSeeds(300, (random) => {
    const deltas = cut(random, TEXT);
    const mixed = random.shuffle([...deltas, random.pick(deltas), random.pick(deltas)]);
    const step = mixed.reduce(applyDelta, RUNNING).turns[0]?.steps[0];
    expect(step?.text).toEqual({ text: TEXT, early: [] });
  });
});

test('partial text is a prefix of the text', () => {
  forSeeds(100, (random) => {
    let view = RUNNING;
    for (const delta of random.shuffle(cut(random, TEXT))) {
      view = applyDelta(view, delta);
      expect(TEXT.startsWith(view.turns[0]?.steps[0]?.text.text ?? '?')).toBe(true);
    }
  });
});

test('replaying the log changes nothing', () => {
  const record = editRecord([hunk(0, 1, ['a'], ['b'])]);
  const events = log(
    STARTED,
    { type: 'context_sent', turn: 'trn_1', chips: [] },
    { type: 'step_started', turn: 'trn_1', step: 1, provenance: TYPED },
    stepEnded('Done.', [CALL]),
    { type: 'action_changed', record },
    { type: 'notice', turn: 'trn_1', step: 1, text: 'Unknown action' },
    { type: 'turn_ended', turn: 'trn_1', end: { kind: 'done' }, usage: USAGE, cost: COST },
  );
  const once = fold(events);
  for (let from = 0; from < events.length; from++) expect(fold(events.slice(from), once)).toBe(once);
});

test('an ended step’s text replaces its pieces', () => {
  const piece: LiveDelta = { type: 'text', turn: 'trn_1', step: 1, offset: 0, text: 'Half an ans' };
  const ended = applyEvent(applyDelta(RUNNING, piece), { seq: 3, at: 3, body: stepEnded('Half an answer.') });
  expect(ended.turns[0]?.steps[0]?.text.text).toBe('Half an answer.');
  expect(applyDelta(ended, { ...piece, offset: 15, text: ' more' })).toBe(ended);
});

test('thinking and text are kept apart', () => {
  const view = applyDelta(RUNNING, { type: 'thinking', turn: 'trn_1', step: 1, offset: 0, text: 'Hm.' });
  expect(view.turns[0]?.steps[0]).toMatchObject({ text: { text: '' }, thinking: { text: 'Hm.' } });
});

test('an action appears at its call once', () => {
  const record = editRecord([hunk(0, 1, ['a'], ['b'])]);
  const view = fold(
    log(
      STARTED,
      stepEnded('', [CALL, { ...CALL, id: 'call_2' }]),
      { type: 'action_changed', record },
      { type: 'action_changed', record: { ...record, state: 'done' } },
    ),
  );
  expect(view.turns[0]?.steps[0]?.calls.map((call) => call.action)).toEqual(['act_1', null]);
  expect(view.turns.flatMap(actionsOf)).toEqual(['act_1']);
});

test('an action without call appears at its step', () => {
  const origin = { kind: 'turn', user: 'ada', thread: 'thr_1', turn: 'trn_1', step: 1, call: 'other' } as const;
  const loose = editRecord([], { origin }, 'act_2');
  const part = editRecord([], { origin, parent: 'act_2' }, 'act_3');
  const view = fold(
    log(
      STARTED,
      stepEnded(''),
      { type: 'action_changed', record: loose },
      { type: 'action_changed', record: part },
      { type: 'action_changed', record: { ...part, state: 'done' } },
    ),
  );
  expect(view.turns.flatMap(actionsOf)).toEqual(['act_2']);
  expect(view.turns[0]?.steps[0]?.within).toEqual([{ action: 'act_3', parent: 'act_2' }]);
});

test('a notice about a call stands at it', () => {
  const view = fold(
    log(STARTED, stepEnded('', [CALL]), {
      type: 'notice',
      turn: 'trn_1',
      step: 1,
      call: 'call_1',
      text: 'No such action',
    }),
  );
  expect(view.turns[0]?.steps[0]?.notices).toEqual([{ call: 'call_1', text: 'No such action' }]);
});

test('turns and steps stay open until their end', () => {
  const turn = openTurn(RUNNING);
  expect(turn && openStep(turn)?.step).toBe(1);
  const ended = fold(
    [
      {
        seq: 3,
        at: 0,
        body: { type: 'turn_ended', turn: 'trn_1', end: { kind: 'stopped' }, usage: USAGE, cost: COST },
      },
    ],
    RUNNING,
  );
  expect(openTurn(ended)).toBeNull();
});

test('an ended step shows usage and cost', () => {
  const cost = { ...COST, picodollars: 7 };
  const turn = fold(log(STARTED, { ...stepEnded('Done.'), cost } as ThreadEventBody)).turns[0];
  expect(turn?.end).toBeNull();
  expect(turn?.steps.map((step) => [step.usage, step.cost])).toEqual([[USAGE, cost]]);
});

test('a busy wait shows until the next event', () => {
  const started = fold(log(STARTED, { type: 'step_started', turn: 'trn_1', step: 1, provenance: TYPED }));
  const waits = applyDelta(started, { type: 'waiting', turn: 'trn_1', step: 1, seconds: 40 });
  const shown = (view: ThreadView) => view.turns[0]?.steps[0]?.askedAgainIn;
  expect(shown(waits)).toBe(40);
  expect(shown(applyDelta(waits, { type: 'text', turn: 'trn_1', step: 1, offset: 0, text: 'At' }))).toBeNull();
  expect(shown(fold([{ seq: 3, at: 3, body: stepEnded('At last.') }], waits))).toBeNull();
});

test('a retry repeats the unanswered message', () => {
  const began = fold(log(STARTED, stepEnded('', [CALL])));
  expect(began.turns.map(again)).toEqual(['Make it faster']);
  const record = editRecord([hunk(0, 1, ['a'], ['b'])]);
  const acted = fold([{ seq: 9, at: 9, body: { type: 'action_changed', record } }], began);
  expect(acted.turns.map(again)).toEqual(['Continue.']);
});
