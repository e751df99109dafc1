import { expect, describe, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { historyOf } from '../state/history.js';
import { nodeStateOf } from '../state/node-state.js';
import { execute, option, threeNodes } from '../testing/stream.js';
import { untilRest } from '../testing/until-rest.js';
import type { KnownTraits, ParameterTraits } from './known-traits.js';

type Parameters = Readonly<Record<string, string>>;

const RELOADS: ParameterTraits = { restart: ['state', 'passwd'], secret: ['passwd'] };
const PROGRAM = 'class="ocf" provider="pacemaker" type="Dummy"';
const known =
  (traits: ParameterTraits | undefined): KnownTraits =>
  () =>
    traits;

function running(parameters: Parameters, traits: ParameterTraits | undefined): ClusterState {
  const pairs = Object.entries(parameters).map(([name, value]) => `<nvpair id="a-${name}" name="${name}" value="${value}"/>`);
  const operations = '<operations><op id="m" name="monitor" interval="10s"/></operations>';
  const cluster = threeNodes({
    resources: `<primitive id="a" ${PROGRAM}>${operations}<instance_attributes id="a-p">${pairs.join('')}</instance_attributes></primitive>`,
    options: option('stonith-enabled', 'false'),
  });
  const quorate = execute(cluster, { type: 'change-quorum', quorate: true, votes: 3, expectedVotes: 3 });
  return untilRest(quorate, { traits: known(traits) }).state;
}

const changed = (state: ClusterState, parameters: Parameters): ClusterState =>
  execute(state, {
    type: 'edit-configuration',
    edits: [{ edit: 'patch', collection: 'resources', id: 'a', patch: { instance_attributes: parameters } }],
  });

/** What a change of parameters leads to, in order, without the probes. */
function ledTo(before: Parameters, after: Parameters, traits: ParameterTraits | undefined = RELOADS): readonly string[] {
  const { happened, state } = untilRest(changed(running(before, traits), after), { traits: known(traits) });
  expect(untilRest(state, { traits: known(traits) }).happened).toEqual([]);
  return happened.map((one) => one.replace(/ of a on n\d$/, ''));
}

describe('a change of a parameter', () => {
  it('that is reloadable is taken up by the resource that runs', () => {
    expect(ledTo({ state: '/s', level: '1' }, { level: '2' })).toEqual(['reload-agent', 'monitor']);
  });

  it('that is not, restarts it; so does one together with such a one', () => {
    expect(ledTo({ state: '/s', level: '1' }, { state: '/t' })).toEqual(['stop', 'start', 'monitor']);
    expect(ledTo({ state: '/s', level: '1' }, { state: '/t', level: '2' })).toEqual(['stop', 'start', 'monitor']);
  });

  it('restarts it where the agent can not reload, or nothing is known of it', () => {
    expect(ledTo({ level: '1' }, { level: '2' }, { secret: [] })).toEqual(['stop', 'start', 'monitor']);
    const state = running({ level: '1' }, undefined);
    expect(untilRest(changed(state, { level: '2' })).happened.map((one) => one.split(' ')[0])).toEqual(['stop', 'start', 'monitor']);
  });

  it('is judged by what was recorded with the start, whatever is known of the agent by then', () => {
    const state = running({ level: '1' }, RELOADS);
    const after = untilRest(changed(state, { level: '2' }), { traits: known({ restart: ['level'], secret: [] }) });
    expect(after.happened.map((one) => one.split(' ')[0])).toEqual(['reload-agent', 'monitor']);
  });

  it('is recorded as a start with the new parameters: the next change is one from there', () => {
    const once = untilRest(changed(running({ level: '1' }, RELOADS), { level: '2' }), { traits: known(RELOADS) });
    const twice = untilRest(changed(once.state, { level: '3' }), { traits: known(RELOADS) });
    expect(twice.happened.map((one) => one.split(' ')[0])).toEqual(['reload-agent', 'monitor']);
    const histories = ['1', '2', '3'].flatMap((id) => historyOf(nodeStateOf(twice.state.cib, { id, name: `n${id}` }), 'a') ?? []);
    expect(JSON.stringify(histories)).toContain('"op-force-restart":" state  passwd "');
  });
});
