import type { AttributeDefinition } from '../options/attribute-definitions.js';

/** Meta-attributes of alerts and their recipients (docs/spec/alerts.md); what a recipient says goes before what its alert says. */
export const ALERT_ATTRIBUTES: readonly AttributeDefinition[] = [
  {
    name: 'enabled',
    type: { kind: 'boolean' },
    default: 'true',
    meaning: 'Whether the program is run.',
    meanwhile: 'it counts as true',
    harmful: false,
  },
  {
    name: 'timeout',
    type: { kind: 'duration' },
    default: '30s',
    meaning: 'How long the program may take before it is ended; an hour at most.',
    meanwhile: 'it counts as 30 s',
    harmful: false,
  },
  {
    name: 'timestamp-format',
    type: { kind: 'text' },
    default: '%H:%M:%S.%06N',
    meaning: 'How `CRM_alert_timestamp` is written, as `date` has it.',
    meanwhile: 'it is written as it stands',
    harmful: false,
  },
];
