import { describe, expect, it } from 'vitest';
import { initialState, type ClusterState } from '../state/cluster-state.js';
import { append } from '../testing/stream.js';
import { decide } from './decide.js';
import type { Decision } from './decision.js';
import { childrenNamed, firstChildNamed } from '@systole/cib';

const document = (status: string): string =>
  '<cib validate-with="pacemaker-4.0" crm_feature_set="3.20.5" admin_epoch="0" epoch="1" num_updates="0"><configuration><crm_config/>' +
  `<nodes/><resources/><constraints/></configuration><status>${status}</status></cib>`;
const created = (status: string): Decision => decide({ type: 'create-cluster', name: 'c', cib: document(status) }, initialState());
const madeFrom = (status: string): ClusterState => {
  const decision = created(status);
  if (!decision.ok) throw new Error(decision.rejection.message);
  return append(initialState(), ...decision.events);
};
const statesOf = ({ cib }: ClusterState) => {
  const status = firstChildNamed(cib, 'status');
  const tickets = status && firstChildNamed(status, 'tickets');
  return tickets === undefined ? [] : childrenNamed(tickets, 'ticket_state').map(({ attributes }) => attributes);
};

describe('the tickets in the status of a document that a cluster is made from', () => {
  const TICKETS =
    '<tickets><ticket_state id="a" granted="true" standby="false" last-granted="1700000000" booth-cfg-name="booth"/>' +
    '<ticket_state id="b" granted="false" standby="true"/></tickets><node_state id="1" uname="n1"/>';

  it('are taken over as they are, and nothing else of the status', () => {
    const state = madeFrom(TICKETS);
    expect(statesOf(state)).toEqual([
      { id: 'a', granted: 'true', standby: 'false', 'last-granted': '1700000000', 'booth-cfg-name': 'booth' },
      { id: 'b', granted: 'false', standby: 'true' },
    ]);
    expect(firstChildNamed(state.cib, 'status')?.children).toHaveLength(1);
  });

  it('are told by an event each, which says where that is from', () => {
    expect(created(TICKETS)).toMatchObject({
      events: [
        { type: 'ClusterCreated' },
        {
          type: 'TicketChanged',
          data: { ticket: 'a', granted: true, reason: 'as the status of the document says that the cluster was made from' },
        },
        { type: 'TicketChanged', data: { ticket: 'b', granted: false, standby: true } },
      ],
    });
  });

  it('are none without a name, count once, and are not without end', () => {
    const many = Array.from({ length: 1_500 }, (_, index) => `<ticket_state id="t${String(index)}" granted="true"/>`).join('');
    expect(
      statesOf(
        madeFrom(
          `<tickets><ticket_state granted="true"/><ticket_state id="a" granted="true" last-granted="1"/><ticket_state id="a" granted="false"/></tickets>`,
        ),
      ),
    ).toEqual([{ id: 'a', granted: 'true', standby: 'false', 'last-granted': '1' }]);
    expect(statesOf(madeFrom(`<tickets>${many}</tickets>`))).toHaveLength(1_000);
  });

  it('of a document that replaces the configuration change nothing: it may be an old one', () => {
    const state = madeFrom(TICKETS);
    const decision = decide(
      { type: 'replace-configuration', cib: document('<tickets><ticket_state id="a" granted="false"/></tickets>') },
      state,
    );
    expect(decision).toMatchObject({ ok: true, events: [] });
  });
});
