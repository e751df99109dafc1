/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const CONFIGURATION_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Forced: {
    type: 'object',
    properties: {
      count: { type: 'number', description: 'How many findings there were.' },
      findings: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            path: { type: 'string', description: 'Of the XML element, with ids.' },
            attribute: { type: 'string', description: 'The attribute of that element that is wrong, if it is one.' },
            message: { type: 'string', description: 'What is wrong.' },
          },
          required: ['path', 'message'],
        },
        description: 'The first hundred of them.',
      },
    },
    required: ['count', 'findings'],
    description: 'What whoever asked for a configuration forced: it was surely not meant, and would have been refused.',
  },
  ConfigurationChanged: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'ConfigurationChanged' },
      data: {
        type: 'object',
        properties: {
          command: { type: 'string', description: 'What was asked for, e.g. `replace-configuration`.' },
          arguments: { type: 'object', additionalProperties: {}, description: 'What it was asked for with, by name.' },
          changes: {
            type: 'array',
            items: { $ref: '#/components/schemas/ElementChange' },
            description: 'What it changed, element by element, in the order in which it is applied.',
          },
          reason: { type: 'string', description: "A person's." },
          forced: { $ref: '#/components/schemas/Forced', description: 'Absent when nothing had to be forced.' },
          countedFrom: {
            $ref: '#/components/schemas/DocumentVersion',
            description:
              'The version of the document that it is, where that is higher than the one before: what follows counts on from it.',
          },
        },
        required: ['command', 'arguments', 'changes'],
      },
    },
    required: ['type', 'data'],
  },
  DocumentVersion: {
    type: 'object',
    properties: { adminEpoch: { type: 'number', description: '`admin_epoch`.' }, epoch: { type: 'number', description: '`epoch`.' } },
    required: ['adminEpoch', 'epoch'],
    description: 'Which version of a configuration a CIB says that it has: what Pacemaker compares, the first part first.',
  },
  SecretErased: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'SecretErased' },
      data: {
        type: 'object',
        properties: {
          secret: { type: 'string', description: 'Its id, as references have it.' },
          owner: { type: 'string', description: 'The resource that it was given for.' },
          parameter: { type: 'string', description: 'Name of the parameter that it is the value of.' },
          reason: { type: 'string', description: "A person's." },
        },
        required: ['secret', 'owner', 'parameter'],
      },
    },
    required: ['type', 'data'],
    description: 'The value of a secret was forgotten for good; the configuration may still refer to it.',
  },
};
