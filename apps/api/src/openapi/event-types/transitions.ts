/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const TRANSITIONS_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  GraphActionRef: {
    type: 'object',
    properties: {
      transition: { type: 'number', description: 'Number of the transition.' },
      id: { type: 'number', description: 'Id of the action in its graph.' },
    },
    required: ['transition', 'id'],
    description: 'The action of a transition graph that an event carries out.',
  },
  TransitionPlanned: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'TransitionPlanned' },
      data: {
        type: 'object',
        properties: {
          number: { type: 'number', description: 'Counts from 1 in each cluster.' },
          inputVersion: { type: 'number', description: 'The stream version whose fold was scheduled.' },
          now: { type: 'number', description: 'Effective time, epoch seconds.' },
          schedulerVersion: { type: 'string', description: 'The scheduler that planned it.' },
          digest: { type: 'string', description: 'sha256 of the canonical JSON of the graph.' },
          counts: {
            type: 'object',
            properties: {
              actions: { type: 'number', description: 'Operations of resources, on nodes.' },
              pseudo: { type: 'number', description: 'Actions that nobody carries out: they order others.' },
              fencing: { type: 'number', description: 'Nodes that are to be fenced.' },
            },
            required: ['actions', 'pseudo', 'fencing'],
            description: 'How many actions of which kind the graph has.',
          },
          recheckBy: { type: 'number', description: 'Epoch seconds of the next recheck, if any.' },
          trigger: { type: 'string', description: 'What made the recomputation necessary.' },
          alsoAnswers: {
            type: 'array',
            items: { type: 'string' },
            description:
              'Correlation ids of other requests and reports that it answers, too, besides the one that it follows from and whose id it has: of at most 100.',
          },
          summary: { type: 'array', items: { type: 'string' }, description: 'One line for each resource action: what and why.' },
          migrations: {
            type: 'array',
            items: { $ref: '#/components/schemas/PlannedMigration' },
            description: 'Its live migrations; absent: none, and in plans of before this was recorded.',
          },
        },
        required: ['number', 'inputVersion', 'now', 'schedulerVersion', 'digest', 'counts', 'trigger', 'summary'],
      },
    },
    required: ['type', 'data'],
  },
  PlannedMigration: {
    type: 'object',
    properties: {
      graphAction: { type: 'number', description: 'Id of the `migrate_to` in the graph.' },
      resource: { type: 'string', description: 'History id.' },
      source: { type: 'string', description: 'The node that it is to leave.' },
      target: { type: 'string', description: 'The node that it is to arrive at.' },
    },
    required: ['graphAction', 'resource', 'source', 'target'],
    description: 'A live migration of a plan: its `migrate_to`.',
  },
  TransitionAborted: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'TransitionAborted' },
      data: {
        type: 'object',
        properties: {
          number: { type: 'number', description: 'Number of the transition.' },
          reason: { type: 'string', description: 'Why nothing new of it is begun any more.' },
        },
        required: ['number', 'reason'],
      },
    },
    required: ['type', 'data'],
  },
  TransitionCompleted: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'TransitionCompleted' },
      data: {
        type: 'object',
        properties: {
          number: { type: 'number', description: 'Number of the transition.' },
          outcome: { type: 'string', enum: ['complete', 'aborted'], description: '`aborted`: it ended before all was done.' },
          completed: { type: 'number', description: 'Actions that were done, and ended as expected.' },
          skipped: { type: 'number', description: 'Actions that were never begun.' },
          failed: { type: 'number', description: 'Actions that were handed out, and did not end as expected, or of which no answer came.' },
        },
        required: ['number', 'outcome', 'completed', 'skipped', 'failed'],
      },
    },
    required: ['type', 'data'],
  },
};
