/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const OPERATIONS_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  OperationRecorded: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'OperationRecorded' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node on which it was carried out.' },
          incarnation: {
            type: 'number',
            description: 'Incarnation of the agent that reports; 0 when the server records it (timeout, lost).',
          },
          resource: { type: 'string', description: 'Id of the `lrm_resource`.' },
          class: { type: 'string', description: 'Standard of the resource agent, e.g. `ocf`.' },
          provider: { type: 'string', description: 'Of `ocf`: whose agent it is.' },
          agentType: { type: 'string', description: 'Name of the resource agent.' },
          operation: {
            type: 'string',
            description:
              'Task as executed: start, stop, monitor, promote, demote, notify, cancel, migrate_to, migrate_from, reload-agent, delete.',
          },
          intervalMs: { type: 'number', description: 'Interval of a recurring operation, ms; 0 for one that does not recur.' },
          status: { $ref: '#/components/schemas/OperationStatus', description: 'How the execution ended, whatever the agent answered.' },
          rc: { type: 'number', description: 'Return code (OCF): 0 is success, 7 not running.' },
          exitReason: { type: 'string', description: "The agent's own words; absent when it gave none." },
          callId: { type: 'number', description: 'Counts up per node and incarnation.' },
          transitionKey: { type: 'string', description: '`<graph action id>:<transition number>:<expected rc>:<epoch of the log>`.' },
          actionId: {
            type: 'string',
            description: 'The id under which the action was handed out; absent for what no transition asked for.',
          },
          resultId: {
            type: 'string',
            description: "The agent's id for this result; a result sent again is recognised by it. Absent for what the server records.",
          },
          digests: {
            $ref: '#/components/schemas/OperationDigests',
            description: 'Of the parameters that it was carried out with; absent where the server did not compute them.',
          },
          migrateSource: { type: 'string', description: 'Of a migration: the node that the resource leaves.' },
          migrateTarget: { type: 'string', description: 'Of a migration: the node that it goes to.' },
          shutdownLock: {
            type: 'number',
            description:
              'Of a stop: since when the resource is to wait for the node, which is shutting down (`shutdown-lock`), epoch seconds; absent where it is not.',
          },
          lastRcChange: {
            type: 'number',
            description:
              "Epoch seconds at which the operation began whose result this is, by the clock of the database: what failures expire by. Events from before that was so bear the time of the node's clock.",
          },
          startedAt: {
            type: 'number',
            description: 'The same by the clock of the node, right or wrong; absent for what the server records.',
          },
          execMs: { type: 'number', description: 'How long it took, ms.' },
          queueMs: { type: 'number', description: 'How long it waited for its turn on the node, ms.' },
          late: { type: 'boolean', description: 'Arrived for a transition that is no longer current, or from a superseded incarnation.' },
          output: { type: 'string', description: 'The last lines of output, bounded; for people.' },
        },
        required: [
          'node',
          'incarnation',
          'resource',
          'class',
          'agentType',
          'operation',
          'intervalMs',
          'status',
          'rc',
          'callId',
          'transitionKey',
          'lastRcChange',
          'execMs',
          'queueMs',
          'late',
        ],
      },
    },
    required: ['type', 'data'],
  },
  OperationStatus: {
    type: 'string',
    enum: ['done', 'cancelled', 'timeout', 'not-supported', 'error', 'error-hard', 'error-fatal', 'not-installed', 'not-connected', 'lost'],
    description: "How the execution ended; the numbers are Pacemaker's `op-status` (specification 03 §7.4).",
  },
  ResultsDropped: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ResultsDropped' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          incarnation: { type: 'number', description: 'Which joining of an agent as this node it is of, from 1.' },
          count: { type: 'number', description: 'How many there were in the report; one that is sent again counts again.' },
          resources: { type: 'array', items: { type: 'string' }, description: 'The first few of the resources.' },
        },
        required: ['node', 'incarnation', 'count', 'resources'],
      },
    },
    required: ['type', 'data'],
    description:
      'A node reported results of resources that are neither configured, nor in its history, nor were handed out to it, or of more operations of a resource than there can be. Recorded with each report that holds such results, so that the sum of the counts is what the log does not have.',
  },
  FailuresCleared: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'FailuresCleared' },
      data: {
        type: 'object',
        properties: {
          resource: { type: 'string', description: "As it stands in the fail count's name: the primitive's id." },
          node: { type: 'string', description: 'Name of the node.' },
          operation: { type: 'string', description: 'The one whose failures are forgotten; absent: those of all.' },
          intervalMs: { type: 'number', description: 'Interval of that operation, ms.' },
          graphAction: {
            $ref: '#/components/schemas/GraphActionRef',
            description: 'The action that it carries out; absent when a person asked for it.',
          },
          reason: { type: 'string', description: "A person's." },
        },
        required: ['resource', 'node'],
      },
    },
    required: ['type', 'data'],
    description: 'Fail counts and failed history entries of a resource on a node; of one operation when it is named.',
  },
  HistoryDeleted: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'HistoryDeleted' },
      data: {
        type: 'object',
        properties: {
          resource: { type: 'string', description: 'Id of the `lrm_resource`.' },
          node: { type: 'string', description: 'Name of the node.' },
          operation: { type: 'string', description: 'The one whose history is forgotten; absent: that of all.' },
          intervalMs: { type: 'number', description: 'Interval of that operation, ms.' },
          graphAction: {
            $ref: '#/components/schemas/GraphActionRef',
            description: 'The action that it carries out; absent when a person asked for it.',
          },
          reason: { type: 'string', description: "A person's." },
        },
        required: ['resource', 'node'],
      },
    },
    required: ['type', 'data'],
    description: 'The history of a resource on a node; of one operation when it is named.',
  },
};
