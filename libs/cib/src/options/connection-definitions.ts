import type { AttributeDefinition } from './attribute-definitions.js';

/** Why an address of a remote or guest node has no effect. */
const NOT_DIALLED = 'the agent of the remote node connects to the server; nobody connects to it, at whatever address';

/** What the cluster itself reads of the instance attributes of a connection to a remote node (`ocf:pacemaker:remote`). */
export const CONNECTION_PARAMETERS: readonly AttributeDefinition[] = [
  {
    name: 'server',
    type: { kind: 'text' },
    default: undefined,
    meaning: 'Where the remote node is reached; its name where not given.',
    differs: NOT_DIALLED,
    meanwhile: 'it counts as not given',
    harmful: false,
  },
  {
    name: 'addr',
    newer: 'server',
    type: { kind: 'text' },
    default: undefined,
    meaning: 'The same.',
    differs: NOT_DIALLED,
    meanwhile: 'it counts as not given',
    harmful: false,
  },
  {
    name: 'port',
    type: { kind: 'text' },
    default: '3121',
    meaning: 'The port of the remote node.',
    differs: NOT_DIALLED,
    meanwhile: 'it counts as not given',
    harmful: false,
  },
  {
    name: 'reconnect_interval',
    type: { kind: 'duration' },
    default: undefined,
    meaning:
      'How long after the node was fenced, or could not be connected to, it is tried again; it takes the place of `failure-timeout`. Not given: it is tried at once.',
    differs: 'as soon as the agent of the remote node joins, earlier tries are forgiven, however long ago they were',
    meanwhile: 'it counts as not given',
    harmful: false,
  },
];

/** What to tell of a parameter of a connection that is given and has no effect, for people; undefined for one that has, and for those of others. */
export function notDialled(name: string): string | undefined {
  if (!CONNECTION_PARAMETERS.some((one) => one.name === name && one.differs === NOT_DIALLED)) return undefined;
  return `${name}: ${NOT_DIALLED}: leave it out, unless the document is for Pacemaker, too`;
}
