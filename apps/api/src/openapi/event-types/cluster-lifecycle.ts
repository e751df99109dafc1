/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const CLUSTER_LIFECYCLE_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ClusterCreated: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ClusterCreated' },
      data: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The name that it was given.' },
          cib: { type: 'string', description: 'The CIB that it was made with, as XML; empty: none.' },
          reason: { type: 'string', description: "A person's." },
          forced: { $ref: '#/components/schemas/Forced', description: 'Absent when nothing had to be forced.' },
        },
        required: ['name', 'cib'],
      },
    },
    required: ['type', 'data'],
  },
  ClusterStopping: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ClusterStopping' },
      data: {
        type: 'object',
        properties: {
          reason: { type: 'string', description: "A person's." },
          restore: {
            type: 'object',
            properties: { value: { type: 'string', description: 'The value that it had; absent: it was not configured.' } },
            description:
              'What becomes of the option `stop-all-resources` when this is called off; absent: it was in force before, and stays.',
          },
        },
      },
    },
    required: ['type', 'data'],
    description: 'Everything is to be stopped; when it is, the cluster is deleted.',
  },
  ClusterStopCancelled: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ClusterStopCancelled' },
      data: { type: 'object', properties: { reason: { type: 'string', description: "A person's." } } },
    },
    required: ['type', 'data'],
    description: 'A person called the deletion off.',
  },
  ClusterDeleted: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ClusterDeleted' },
      data: { type: 'object', properties: { reason: { type: 'string', description: "A person's." } } },
    },
    required: ['type', 'data'],
  },
  EpochBegan: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'EpochBegan' },
      data: {
        type: 'object',
        properties: {
          epoch: { type: 'string', description: 'UUID of the epoch that begins.' },
          previous: { type: 'string', description: 'The one that ends; the first one of a cluster is its id.' },
          reason: { type: 'string', description: 'What was found, for people.' },
          witness: {
            type: 'object',
            properties: {
              epoch: { type: 'string', description: 'Of the log at that time.' },
              version: { type: 'number', description: 'Stream version, from 1.' },
              hash: { type: 'string', description: 'Of the event at that version; lower-case hexadecimal.' },
            },
            required: ['epoch', 'version', 'hash'],
            description: 'What somebody was told of the log and is not in it; absent when a person says that the log was restored.',
          },
          by: { type: 'string', description: 'Who showed it: a node, `api`, `worker`, or a person.' },
          proven: {
            type: 'boolean',
            const: true,
            description:
              "Its seal proved that a server had told it, or a server's process had read or stored it itself: it is no word of `by` alone.",
          },
        },
        required: ['epoch', 'previous', 'reason', 'by'],
      },
    },
    required: ['type', 'data'],
    description:
      'The log went back in time (a restored database, a replica that lacked the newest events): what it says of nodes and resources may be of yesterday. Every lease ends with this.',
  },
};
