import type { components } from '@systole/api-client';
import { describeEvent } from '@systole/cluster';
import { clusterEvent } from './cluster-event.js';
import { moment } from './moment.js';
import type { Paint } from './paint.js';

type Entry = components['schemas']['AuditEntryDto'];

/** The server's own stream. */
const OWN = 'server/audit';

/** An entry of the audit as a line, and one more for each detail. */
export function renderAuditEntry(entry: Entry, paint: Paint): readonly string[] {
  const { streamId, clusterName, actor, occurredAt } = entry;
  const where = streamId === OWN ? 'server' : (clusterName ?? streamId);
  const head = `${moment(occurredAt)}  ${where.padEnd(12)}  ${actor.padEnd(16)}  `;
  if (streamId !== OWN) {
    const { text, details } = describeEvent(clusterEvent(entry), actor);
    return [`${paint('dim', head)}${text}`, ...details.map((detail) => `${' '.repeat(head.length + 2)}${detail}`)];
  }
  const refused = entry.type === 'RequestRefused' || entry.type === 'EntriesLeftOut';
  const text = described(entry);
  return [`${paint('dim', head)}${refused ? paint('red', text) : text}`];
}

function described({ type, data }: Entry): string {
  const of = (name: string): string => textOf(data[name]);
  const times =
    data['times'] === undefined ? '' : `, ${of('times')} ${data['times'] === 1 ? 'time' : 'times'} since ${moment(of('since'))}`;
  const asking = `${of('address')}${data['tokenId'] === undefined ? '' : `, token ${of('tokenId')}`}`;
  switch (type) {
    case 'ServerStarted':
      return `${of('program')} started on ${of('host')} (process ${of('pid')}): ${settingsIn(data['settings'])}`;
    case 'ServerStopped':
      return `${of('program')} ended on ${of('host')} (process ${of('pid')})`;
    case 'ClusterAdded':
      return `cluster ${of('name')} added (${of('clusterId')})`;
    case 'ClusterRemoved':
      return `cluster removed (${of('clusterId')})`;
    case 'TokenIssued':
      return `token issued: ${of('name')}, ${of('role')}${data['node'] === undefined ? '' : ` of ${of('node')}`} (${of('tokenId')})`;
    case 'TokenWithdrawn':
      return `token withdrawn (${of('tokenId')})`;
    case 'RequestCarriedOut':
      return `${of('method')} ${of('path')} carried out (${asking})`;
    case 'RequestRefused':
      return `${of('method')} ${of('path')} refused: ${of('status')} ${of('problem')} (${asking})${times}`;
    case 'ConfigurationRead':
      return `${of('path')} read (${asking})${times}`;
    case 'EntriesLeftOut':
      return `entries left out by ${of('program')}, for want of room: ${settingsIn(data['entries'])}`;
    default:
      return `${type} ${JSON.stringify(data)}`;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

function settingsIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, setting]) => `${name}=${textOf(setting)}`)
    .join(' ');
}
