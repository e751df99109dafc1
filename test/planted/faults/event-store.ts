import type { PlantedFault } from '../fault.js';

const integration = (file: string) => ({ project: 'integration', file }) as const;
const SCHEMA = 'migrations/src/1795269600000-event-store.ts';

/** The log: its order, its versions, its chain. */
export const EVENT_STORE: readonly PlantedFault[] = [
  {
    id: 'append-without-version-check',
    what: 'two writers who read the same version both append',
    file: SCHEMA,
    right: 'IF expected_versions[batch] <> head THEN',
    wrong: 'IF expected_versions[batch] <> head AND false THEN',
    foundBy: integration('libs/event-store/src/append/append.int.spec.ts'),
  },
  {
    id: 'events-can-be-changed',
    what: 'an event can be updated or deleted',
    file: SCHEMA,
    right:
      "  'ALTER TABLE events ENABLE ALWAYS TRIGGER events_refuse_change',\n  'ALTER TABLE events ENABLE ALWAYS TRIGGER events_refuse_row_change',",
    wrong: "  'ALTER TABLE events DISABLE TRIGGER events_refuse_change',\n  'ALTER TABLE events DISABLE TRIGGER events_refuse_row_change',",
    foundBy: integration('libs/event-store/src/append/append-only.int.spec.ts'),
  },
  {
    id: 'late-commit-skipped',
    what: 'a reader of the global order misses what commits after a later one',
    file: 'libs/event-store/src/read/read-all.ts',
    right:
      'WHERE (transaction_id, global_position) > ($1, $2) AND transaction_id < event_horizon()\nORDER BY transaction_id, global_position\nLIMIT $3`;',
    wrong: 'WHERE (transaction_id, global_position) > ($1, $2)\nORDER BY transaction_id, global_position\nLIMIT $3`;',
    foundBy: integration('libs/event-store/src/read/global-order.int.spec.ts'),
  },
  {
    id: 'actor-not-verified',
    what: 'who did it can be forged without breaking the chain',
    file: 'libs/event-store/src/chain/verify-chain.ts',
    right: "return eventHash(previous.hash, row.text) === row.hash ? undefined : 'changed-content';",
    wrong: "return eventHash(previous.hash, row.text) !== '' ? undefined : 'changed-content';",
    foundBy: integration('libs/event-store/src/chain/verify-chain.int.spec.ts'),
  },
];
