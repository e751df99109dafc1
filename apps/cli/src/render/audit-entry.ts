import type { components } from '@systole/api-client';
import { describeEvent } from '@systole/cluster';
import { shownAsOneLine } from '@systole/protocol';
import { clusterEvent } from './cluster-event.js';
import { moment } from './moment.js';
import type { Paint } from './paint.js';

type Entry = components['schemas']['AuditEntryDto'];

const WRONG: ReadonlySet<string> = new Set(['RequestRefused', 'EntriesLeftOut', 'WebhookDisabled']);

/** The server's own streams. */
const OWN: ReadonlySet<string> = new Set(['server/audit', 'server/evidence']);

/** An entry of the audit as a line, and one more for each detail. */
export function renderAuditEntry(told: Entry, paint: Paint): readonly string[] {
  const entry = shownAsOneLine(told);
  const { streamId, clusterName, actor, occurredAt } = entry;
  const where = OWN.has(streamId) ? 'server' : (clusterName ?? streamId);
  const head = `${moment(occurredAt)}  ${where.padEnd(12)}  ${actor.padEnd(16)}  `;
  if (!OWN.has(streamId)) {
    const { text, details } = describeEvent(clusterEvent(entry), actor);
    return [`${paint('dim', head)}${text}`, ...details.map((detail) => `${' '.repeat(head.length + 2)}${detail}`)];
  }
  const refused = WRONG.has(entry.type);
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
      return `token issued: ${of('name')}, ${of('role')}${data['node'] === undefined ? '' : ` of ${of('node')}`} (${of('tokenId')})${because(data)}`;
    case 'TokenWithdrawn':
      return `token withdrawn (${of('tokenId')})${because(data)}`;
    case 'WebhookCreated':
      return `webhook ${of('name')} made, to ${of('url')} (${of('webhookId')})${because(data)}`;
    case 'WebhookChanged':
      return `webhook ${of('name')} changed: ${Array.isArray(data['fields']) ? data['fields'].map(textOf).join(', ') : ''} (${of('webhookId')})${because(data)}`;
    case 'WebhookDeleted':
      return `webhook ${of('name')} deleted (${of('webhookId')})${because(data)}`;
    case 'WebhookDisabled':
      return `webhook ${of('name')} disabled: ${of('reason')} (${of('webhookId')})`;
    case 'KeptRowsPurged':
      return `kept for long enough, and thrown away: ${settingsIn(data['rows'])}`;
    case 'RequestCarriedOut':
      return `${of('method')} ${of('path')} carried out (${asking})`;
    case 'RequestRefused':
      return `${of('method')} ${of('path')} refused: ${of('status')} ${of('problem')} (${asking})${times}`;
    case 'ConfigurationRead':
      return `${of('path')} read (${asking})${times}`;
    case 'SecretsRead':
      return `${of('path')} read with secrets in clear (${asking})`;
    case 'EntriesLeftOut':
      return `entries left out by ${of('program')}, for want of room: ${settingsIn(data['entries'])}`;
    case 'HeadsSigned':
      return statementIn(data['statement']);
    default:
      return `${type} ${JSON.stringify(data)}`;
  }
}

function statementIn(statement: unknown): string {
  const { number, heads }: Readonly<Record<string, unknown>> = typeof statement === 'object' && statement !== null ? { ...statement } : {};
  return `statement ${textOf(number)} signed: the heads of ${String(Array.isArray(heads) ? heads.length : 0)} streams`;
}

function because(data: Entry['data']): string {
  return data['reason'] === undefined ? '' : `: ${textOf(data['reason'])}`;
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
