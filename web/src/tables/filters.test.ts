import { expect, it } from 'vitest';
import { UNFILTERED, viewOf } from './filters';

it('view leaves out empty filters', () => {
  expect(viewOf(null, null, UNFILTERED)).toEqual({});
  expect(viewOf(false, { column: 2, descending: true }, { anywhere: ' kiel ', columns: { 0: ' ', 3: '>5' } })).toEqual({
    header: false,
    order: { column: 2, descending: true },
    anywhere: ' kiel ',
    filters: [{ column: 3, text: '>5' }],
  });
});
