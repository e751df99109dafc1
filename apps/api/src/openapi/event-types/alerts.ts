/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const ALERTS_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  AlertFailed: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'AlertFailed' },
      data: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'The program.' },
          outcome: {
            type: 'string',
            enum: ['failed', 'timeout', 'not-run'],
            description:
              '`failed`: it exited with something else than 0, or by a signal; `timeout`: it was killed as its time was up; `not-run`: it was not begun, or nobody knows.',
          },
          rc: { type: 'number', description: 'Its exit code, where it exited.' },
          detail: { type: 'string', description: 'What it printed last, or why it was not begun; cut short.' },
          alert: { type: 'string', description: 'Id of the alert.' },
          recipient: { type: 'string', description: 'Id of the recipient; absent where the alert has none.' },
          node: { type: 'string', description: 'Name of the node that ran it.' },
          run: { type: 'number', description: 'Number of the run; later ones have greater ones.' },
        },
        required: ['alert', 'node', 'outcome', 'path', 'run'],
      },
    },
    required: ['type', 'data'],
    description:
      'The program of an alert did not end well on a node for the first time since it did, or since the alert was configured. Further runs that end badly say nothing new: the list of runs has them.',
  },
  AlertRecovered: {
    type: 'object',
    properties: { type: { type: 'string', const: 'AlertRecovered' }, data: { $ref: '#/components/schemas/AlertLane' } },
    required: ['type', 'data'],
    description: 'The program of an alert that had failed on a node ended well there.',
  },
  AlertLane: {
    type: 'object',
    properties: {
      alert: { type: 'string', description: 'Id of the alert.' },
      recipient: { type: 'string', description: 'Id of the recipient; absent where the alert has none.' },
      node: { type: 'string', description: 'Name of the node that ran it.' },
      run: { type: 'number', description: 'Number of the run; later ones have greater ones.' },
    },
    required: ['alert', 'node', 'run'],
    description: 'Whose runs on a node are told one after the other.',
  },
};
