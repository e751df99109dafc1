import type { AttributeDescription } from './attribute-definitions.js';
import type { ClusterOptionKind } from './option-type.js';

const boolean = { kind: 'boolean' } as const;
const score = { kind: 'score' } as const;
const text = { kind: 'text' } as const;
const select = (...allowed: readonly string[]): ClusterOptionKind => ({ kind: 'select', allowed, caseSensitive: true });
const role = select('Stopped', 'Started', 'Unpromoted', 'Promoted');
const action = select('start', 'stop', 'promote', 'demote');

/** One that stands on elements of some names, which always says which. */
export type ConstraintAttribute = AttributeDescription & { readonly readOn: readonly string[] };

const LOCATION = ['rsc_location'];
const COLOCATION = ['rsc_colocation'];
const ORDER = ['rsc_order'];
const TICKET = ['rsc_ticket'];
const SET = ['resource_set'];
const RULE = ['rule'];

/**
 * Attributes of constraints, their sets and rules (specification 04 §4, §6; 07; 01 §5.1). What they take is checked with the document (01 §1.5). A name may stand on several elements, and mean
 * something else on each.
 */
export const CONSTRAINT_ATTRIBUTES: readonly ConstraintAttribute[] = [
  { name: 'rsc', readOn: LOCATION, type: text, default: undefined, meaning: 'The resource, template or tag that it is about.' },
  {
    name: 'rsc-pattern',
    readOn: LOCATION,
    type: text,
    default: undefined,
    meaning: 'A POSIX extended regular expression: all resources whose ids match it; with ! before it, all others.',
  },
  { name: 'node', readOn: LOCATION, type: text, default: undefined, meaning: 'The node that the score is for.' },
  {
    name: 'score',
    readOn: LOCATION,
    type: score,
    default: undefined,
    meaning: 'What the node gains; -INFINITY bans the resource from it.',
  },
  { name: 'role', readOn: LOCATION, type: role, default: undefined, meaning: 'Promoted: the score counts for being promoted there only.' },
  {
    name: 'resource-discovery',
    readOn: LOCATION,
    type: select('always', 'never', 'exclusive'),
    default: 'always',
    meaning: 'Whether the node is asked if the resource runs there already; exclusive: it may run on such nodes only.',
  },
  {
    name: 'score',
    readOn: COLOCATION,
    type: score,
    default: '0',
    meaning: 'How much the dependent resource wants to be where the other is; below 0: elsewhere.',
  },
  { name: 'rsc', readOn: COLOCATION, type: text, default: undefined, meaning: 'The dependent resource.' },
  { name: 'with-rsc', readOn: COLOCATION, type: text, default: undefined, meaning: 'The resource that is placed first.' },
  { name: 'rsc-role', readOn: COLOCATION, type: role, default: undefined, meaning: 'The role of the dependent that it is about.' },
  { name: 'with-rsc-role', readOn: COLOCATION, type: role, default: undefined, meaning: 'The role in which the other one counts.' },
  {
    name: 'node-attribute',
    readOn: COLOCATION,
    type: text,
    default: '#uname',
    meaning: 'Nodes with the same value of this attribute count as one place.',
  },
  {
    name: 'influence',
    readOn: COLOCATION,
    type: boolean,
    default: undefined,
    meaning: 'Whether where the dependent can run has a say in where the other is placed. Not given: as `critical` of the dependent.',
  },
  { name: 'first', readOn: ORDER, type: text, default: undefined, meaning: 'The resource that acts first.' },
  { name: 'then', readOn: ORDER, type: text, default: undefined, meaning: 'The resource that waits for it.' },
  { name: 'first-action', readOn: ORDER, type: action, default: 'start', meaning: 'What of the first is waited for.' },
  { name: 'then-action', readOn: ORDER, type: action, default: undefined, meaning: 'What of the other waits. Not given: as first-action.' },
  {
    name: 'kind',
    readOn: ORDER,
    type: select('Mandatory', 'Optional', 'Serialize'),
    default: 'Mandatory',
    meaning: 'Whether the other waits always, only where both act at once, or neither acts while the other does.',
  },
  {
    name: 'score',
    readOn: ORDER,
    type: score,
    default: undefined,
    meaning: 'As documents of old say it: 0 is the kind Optional, anything else Mandatory.',
  },
  {
    name: 'symmetrical',
    readOn: ORDER,
    type: boolean,
    default: undefined,
    meaning: 'Whether stops go in reverse order. Not given: true, but for Serialize.',
  },
  {
    name: 'require-all',
    readOn: ORDER,
    type: boolean,
    default: 'true',
    meaning: 'Whether all instances of a clone must be active before what comes after it; false: one is enough.',
  },
  { name: 'rsc', readOn: TICKET, type: text, default: undefined, meaning: 'The resource that needs the ticket.' },
  { name: 'rsc-role', readOn: TICKET, type: role, default: undefined, meaning: 'The role that needs it.' },
  { name: 'ticket', readOn: TICKET, type: text, default: undefined, meaning: 'The name of the ticket.' },
  {
    name: 'loss-policy',
    readOn: TICKET,
    type: select('stop', 'demote', 'fence', 'freeze'),
    default: undefined,
    meaning:
      'What happens to the resource when the ticket is lost. Not given: it is stopped, or demoted where the constraint is about Promoted.',
  },
  { name: 'sequential', readOn: SET, type: boolean, default: 'true', meaning: 'Whether the members depend on one another, in order.' },
  {
    name: 'require-all',
    readOn: SET,
    type: boolean,
    default: 'true',
    meaning: 'Of an order: whether all members must be active before the next set.',
  },
  { name: 'role', readOn: SET, type: role, default: undefined, meaning: 'The role of the members that it is about.' },
  { name: 'action', readOn: SET, type: action, default: 'start', meaning: 'Of an order: what of the members is ordered.' },
  {
    name: 'ordering',
    readOn: SET,
    type: select('group', 'listed'),
    default: 'group',
    meaning: 'Of a colocation with a score above 0: whether each member is placed with the one before it, or the one after it.',
  },
  {
    name: 'score',
    readOn: SET,
    type: score,
    default: undefined,
    meaning: 'Of a colocation: the score between the members. Not given: that of the constraint.',
  },
  {
    name: 'kind',
    readOn: SET,
    type: select('Mandatory', 'Optional', 'Serialize'),
    default: undefined,
    meaning: 'Of an order: the kind between the members. Not given: that of the constraint.',
  },
  { name: 'score', readOn: RULE, type: score, default: undefined, meaning: 'Of a location: what nodes gain for which the rule holds.' },
  {
    name: 'score-attribute',
    readOn: RULE,
    type: text,
    default: undefined,
    meaning: 'Of a location: the node attribute that has the score.',
  },
  {
    name: 'boolean-op',
    readOn: RULE,
    type: select('and', 'or'),
    default: 'and',
    meaning: 'Whether all of its conditions have to hold, or one.',
  },
  { name: 'role', readOn: RULE, type: role, default: undefined, meaning: 'Of a location: as `role` of the constraint.' },
  {
    name: 'index',
    readOn: ['fencing-level'],
    type: { kind: 'count', min: 1 },
    default: undefined,
    meaning: 'When the level is tried: the lowest first.',
  },
  {
    name: 'devices',
    readOn: ['fencing-level'],
    type: text,
    default: undefined,
    meaning: 'The devices, which have to succeed all, in order.',
  },
  { name: 'target', readOn: ['fencing-level'], type: text, default: undefined, meaning: 'The node that it is for.' },
  {
    name: 'target-pattern',
    readOn: ['fencing-level'],
    type: text,
    default: undefined,
    meaning: 'A POSIX extended regular expression: the nodes whose names match it.',
  },
  {
    name: 'target-attribute',
    readOn: ['fencing-level'],
    type: text,
    default: undefined,
    meaning: 'With `target-value`: the nodes that have this attribute with that value.',
  },
];
