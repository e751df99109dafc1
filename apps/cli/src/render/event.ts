import type { components } from '@systole/api-client';
import { describeEvent } from '@systole/cluster';
import { shownAsOneLine } from '@systole/protocol';
import { clusterEvent } from './cluster-event.js';
import { moment } from './moment.js';
import type { Paint } from './paint.js';

/** An event as a line, and one more for each detail. */
export function renderEvent(told: components['schemas']['EventDto'], paint: Paint): readonly string[] {
  const event = shownAsOneLine(told);
  const { version, actor, occurredAt } = event;
  const { text, details, mood } = describeEvent(clusterEvent(event), actor);
  const shown = mood === 'plain' ? text : paint(mood === 'good' ? 'green' : 'red', text);
  const head = `${String(version).padStart(6)}  ${moment(occurredAt)}  ${actor.padEnd(16)}  `;
  return [`${paint('dim', head)}${shown}`, ...details.map((detail) => `${' '.repeat(head.length + 2)}${detail}`)];
}
