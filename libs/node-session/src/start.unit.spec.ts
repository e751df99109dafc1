import { expect, it } from 'vitest';
import { EMPTY_STATE, evolve } from './journal/state.js';
import type { ActiveResource } from './journal/record.js';
import { nodeStart } from './step.js';
import { actionOf, SETTINGS } from './testing/actions.js';

const started = (resource: string): ActiveResource => {
  const { resource: of, parameters, meta } = actionOf(`1:start:${resource}`);
  return { resource: of, parameters, meta };
};

it('a second record is believed before a journal that has lost its end: it is the newer of the two', () => {
  const journal = evolve({ ...EMPTY_STATE, bootId: SETTINGS.bootId }, { kind: 'active', active: started('db/Db/1') });
  const rescued = { active: [started('db/Db/2'), started('web/Web/1')], unmanaged: [] };
  const { state } = nodeStart(SETTINGS, { journal, rescued }, { now: 0, wallMs: 0 });
  expect([...state.journal.ahead.active.values()].map(({ resource: { id }, parameters: { p } }) => `${id} ${p ?? ''}`)).toEqual([
    'db 2',
    'web 1',
  ]);
});
