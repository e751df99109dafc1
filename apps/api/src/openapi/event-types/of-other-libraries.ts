/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const OF_OTHER_LIBRARIES_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ElementChange: {
    type: 'object',
    properties: {
      kind: {
        type: 'string',
        description: 'Element name, e.g. `primitive`, `rsc_location`, `nvpair`; `configuration` for the whole; `#comment` for a comment.',
      },
      id: {
        type: 'string',
        description:
          "The element's id; empty for an element without one, which is then the only one of its name below its parent. For a comment that goes: its number among the parent's comments before the change, from 0.",
      },
      path: {
        type: 'string',
        description:
          "The parent's path from the root, e.g. `configuration/resources` or `configuration/resources/primitive[@id='db']`; empty for `configuration` itself.",
      },
      before: { type: 'string', description: 'XML before; absent for what is new.' },
      after: { type: 'string', description: 'XML after; absent for what is removed.' },
      position: {
        type: 'number',
        description:
          'Index among all children of the parent (comments count) once all changes of this parent that stand together in the list are made; given for what is new or moved.',
      },
    },
    required: ['kind', 'id', 'path'],
    description:
      'One element of the configuration before and after; both are XML text. Without `before` the element is new, without `after` it is gone.',
  },
  LogHead: {
    type: 'object',
    properties: {
      epoch: { type: 'string', description: 'Of the log at that time (see `epochOf`).' },
      version: { type: 'number', description: 'Stream version, from 1.' },
      hash: { type: 'string', description: 'Of the event at that version; lower-case hexadecimal.' },
    },
    required: ['epoch', 'version', 'hash'],
    description:
      'A place in the event log that was acknowledged once: what a server tells with each answer, and what an agent shows with its next question.',
  },
  OperationDigests: {
    type: 'object',
    properties: {
      opDigest: { type: 'string', description: 'Of all parameters.' },
      opForceRestart: { type: 'string', description: 'Names of the parameters whose change asks for a restart, separated by blanks.' },
      opRestartDigest: { type: 'string', description: 'Of those parameters.' },
      opSecureParams: { type: 'string', description: 'Names of the parameters that are secret, separated by blanks.' },
      opSecureDigest: { type: 'string', description: 'Of all but the secret parameters.' },
    },
    required: ['opDigest'],
    description: "Digests of an operation's parameters (specification 01 §11), which its result carries into the history.",
  },
};
