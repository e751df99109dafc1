/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const ATTRIBUTES_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  NodeAttributeSet: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeAttributeSet' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          name: { type: 'string', description: 'Name of the attribute.' },
          value: { type: 'string', description: 'Its value from now on.' },
          lifetime: { $ref: '#/components/schemas/AttributeLifetime', description: 'How long it stays.' },
          uniqueIds: {
            type: 'boolean',
            const: true,
            description:
              'What it makes in the configuration gets ids that nothing else there has. Else, as in older logs, later changes may name the ids that come of its names alone.',
          },
          reason: { type: 'string', description: "A person's." },
          held: { type: 'boolean', const: true, description: 'It was held back before, and is written with what else was held of it.' },
        },
        required: ['node', 'name', 'value', 'lifetime'],
      },
    },
    required: ['type', 'data'],
  },
  AttributeLifetime: {
    type: 'string',
    enum: ['forever', 'reboot'],
    description: "`forever` lives in the node's configuration, `reboot` in its transient attributes.",
  },
  NodeAttributeCleared: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeAttributeCleared' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          name: { type: 'string', description: 'Name of the attribute.' },
          lifetime: { $ref: '#/components/schemas/AttributeLifetime', description: 'Which of the two of that name.' },
          reason: { type: 'string', description: "A person's." },
          held: { type: 'boolean', const: true, description: 'It was held back before, and is written with what else was held of it.' },
        },
        required: ['node', 'name', 'lifetime'],
      },
    },
    required: ['type', 'data'],
  },
  NodeAttributeHeld: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'NodeAttributeHeld' },
      data: {
        type: 'object',
        properties: {
          node: { type: 'string', description: 'Name of the node.' },
          name: { type: 'string', description: 'Name of the attribute.' },
          value: { type: 'string', description: 'What is to be written; absent: it is to be cleared.' },
          delayMs: { type: 'number', description: 'How long changes of the attribute wait from now on, on all nodes, ms.' },
        },
        required: ['node', 'name', 'delayMs'],
      },
    },
    required: ['type', 'data'],
    description:
      'An agent set or cleared a transient attribute that is dampened: it is written when nothing of it has changed for that long, together with what changes of it on other nodes.',
  },
  AttributeDelaySet: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'AttributeDelaySet' },
      data: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'Name of the attribute.' },
          delayMs: { type: 'number', description: 'How long, ms; 0: no more, and what is held is written at once.' },
        },
        required: ['name', 'delayMs'],
      },
    },
    required: ['type', 'data'],
    description: 'Changes of a transient attribute wait for others of it from now on, on all nodes.',
  },
};
