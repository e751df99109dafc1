import { agentNode } from '../events/actors.js';
import type { ClusterState, NamedAttribute } from '../state/cluster-state.js';
import { writtenPermanentAttribute } from '../state/configuration.js';

/** A permanent attribute of a node as it stands. */
export interface StandingAttribute extends NamedAttribute {
  readonly value: string;
}

/**
 * Permanent attributes that agents had written when the log went back in time, and that nobody has written since. By such an attribute a resource agent may judge where the newest data is (as pgsql does by its data-status): what was
 * promoted in the lost tail it does not tell, so nothing is promoted before it is known again. Which agents read which attributes nobody but they knows.
 */
export function untoldAttributes({ cib, epoch }: Pick<ClusterState, 'cib' | 'epoch'>): readonly StandingAttribute[] {
  return (epoch?.attributesOfBefore ?? []).flatMap(({ node, name }) => {
    const value = writtenPermanentAttribute(cib, node, name);
    return value === undefined ? [] : [{ node, name, value }];
  });
}

/** Whether nobody has written it since the log went back. */
export function isOfBefore({ epoch }: Pick<ClusterState, 'epoch'>, { node, name }: NamedAttribute): boolean {
  return epoch?.attributesOfBefore?.some((known) => known.node === node && known.name === name) === true;
}

/** Why nothing may be promoted at present, for people; undefined: everything may be. */
export function promotionHold(state: Pick<ClusterState, 'cib' | 'epoch'>): string | undefined {
  const untold = untoldAttributes(state);
  if (untold.length === 0) return undefined;
  const which = untold.map(({ node, name }) => `${name} of ${node}`).join(', ');
  return `the event log went back in time, and agents may judge where the newest data is by permanent attributes that they had written before, and that may be of yesterday (${which}): find out where the newest data is, then write each as it should be, or as it is (systole node attribute set NODE NAME VALUE), or clear it`;
}

/** With what an event says of who wrote a permanent attribute last; and it is known again. */
export function withAttributeWritten(state: ClusterState, { node, name }: NamedAttribute, actor: string, isSet: boolean): ClusterState {
  const known = withAttributeTold(state, { node, name });
  const { writtenByAgents = {} } = state;
  const before = Object.hasOwn(writtenByAgents, node) ? (writtenByAgents[node] ?? []) : [];
  const isAgents = isSet && agentNode(actor) !== undefined;
  if (before.includes(name) === isAgents) return known;
  const names = isAgents ? [...before, name] : before.filter((other) => other !== name);
  return { ...known, writtenByAgents: { ...writtenByAgents, [node]: names } };
}

function withAttributeTold(state: ClusterState, told: NamedAttribute): ClusterState {
  if (state.epoch?.attributesOfBefore === undefined) return state;
  const { attributesOfBefore, ...epoch } = state.epoch;
  const others = attributesOfBefore.filter(({ node, name }) => node !== told.node || name !== told.name);
  return { ...state, epoch: others.length === 0 ? epoch : { ...epoch, attributesOfBefore: others } };
}

/** By what is written now, of nodes that are configured. */
export function attributesOfAgents({ cib, writtenByAgents = {} }: ClusterState): readonly NamedAttribute[] {
  const all = Object.entries(writtenByAgents).flatMap(([node, names]) => names.map((name) => ({ node, name })));
  return all.filter(({ node, name }) => writtenPermanentAttribute(cib, node, name) !== undefined);
}
