/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const QUORUM_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  QuorumChanged: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'QuorumChanged' },
      data: {
        type: 'object',
        properties: {
          quorate: { type: 'boolean', description: 'Whether there is quorum from now on.' },
          votes: { type: 'number', description: 'How many votes are there.' },
          expectedVotes: { type: 'number', description: 'How many there are when all nodes are there.' },
        },
        required: ['quorate', 'votes', 'expectedVotes'],
      },
    },
    required: ['type', 'data'],
  },
};
