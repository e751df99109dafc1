/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const DEBUG_OPERATIONS_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  DebugOperationRequested: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'DebugOperationRequested' },
      data: {
        type: 'object',
        properties: {
          debugId: { type: 'string', description: 'Unique id of this request.' },
          node: { type: 'string', description: 'On which it is carried out.' },
          incarnation: { type: 'number', description: 'Of the node: no other life of it is asked.' },
          resource: { type: 'string', description: 'Id of the primitive, which is its history id; with `on` of the fence device.' },
          operation: {
            anyOf: [{ $ref: '#/components/schemas/DebugOperation' }, { type: 'string', const: 'on' }],
            description: '`on`: a node is switched on by a fence device.',
          },
          target: { type: 'string', description: 'With `on`: which node.' },
          timeoutMs: { type: 'number', description: 'After which the agent ends it.' },
          reason: { type: 'string', description: "A person's." },
        },
        required: ['debugId', 'node', 'incarnation', 'resource', 'operation', 'timeoutMs'],
      },
    },
    required: ['type', 'data'],
    description:
      'A person wants one operation of a resource to be carried out on a node, to see what its agent says; or a node switched on.',
  },
  DebugOperation: { type: 'string', enum: ['monitor', 'validate-all', 'start', 'stop', 'promote', 'demote'] },
  DebugOperationEnded: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'DebugOperationEnded' },
      data: {
        type: 'object',
        properties: {
          debugId: { type: 'string', description: 'Of the request.' },
          node: { type: 'string', description: 'On which it was to be carried out.' },
          incarnation: { type: 'number', description: 'Of the node, as it was asked.' },
          resource: { type: 'string', description: 'Id of the primitive, or of the fence device.' },
          operation: { type: 'string', description: 'As it was asked for.' },
          status: {
            $ref: '#/components/schemas/OperationStatus',
            description: 'How the execution ended; absent: it was never begun, and will not be.',
          },
          rc: { type: 'number', description: 'Return code, as OCF numbers them; absent: it was never begun, or did not end.' },
          exitReason: { type: 'string', description: 'What the agent said of why it failed.' },
          output: { type: 'string', description: 'The last lines of output, bounded; for people.' },
          execMs: { type: 'number', description: 'How long its execution took, ms.' },
          queueMs: { type: 'number', description: 'How long it waited on the node before, ms.' },
          resultId: { type: 'string', description: "The agent's id for this result." },
          late: {
            type: 'boolean',
            const: true,
            description: 'Nobody waited for it any more: the life of the node in which it was asked for is over.',
          },
        },
        required: ['debugId', 'node', 'incarnation', 'resource', 'operation'],
      },
    },
    required: ['type', 'data'],
    description:
      'What came of it. Where it may have changed anything the history of the resource there is deleted with it, so that it is probed.',
  },
};
