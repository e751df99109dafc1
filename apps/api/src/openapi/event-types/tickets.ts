/** Generated from the types of events in libs/cluster by `npm run openapi`. Not to be edited. */
export const TICKETS_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  TicketChanged: {
    type: 'object',
    properties: {
      type: { type: 'string', const: 'TicketChanged' },
      data: {
        type: 'object',
        properties: {
          ticket: { type: 'string', description: 'Id of the ticket.' },
          granted: { type: 'boolean', description: 'Whether it is granted from now on; absent: that did not change.' },
          standby: { type: 'boolean', description: 'Whether it is in standby from now on; absent: that did not change.' },
          attributes: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'Other attributes of it that were set, by name.',
          },
          cleared: {
            type: 'array',
            items: { type: 'string' },
            description: 'Names of other attributes that it has no more; absent: none.',
          },
          forgotten: {
            type: 'boolean',
            const: true,
            description: 'Nothing is known of it any more: it is as if it had never been granted.',
          },
          reason: { type: 'string', description: "A person's." },
        },
        required: ['ticket'],
      },
    },
    required: ['type', 'data'],
  },
};
