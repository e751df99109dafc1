import type { ActionResource, AgentAction, FenceOrder, JoinAnswer, PollAnswer } from './messages.js';

/** The server sent something that is not the protocol. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

type Fields = Readonly<Record<string, unknown>>;

export function parseJoinAnswer(value: unknown): JoinAnswer {
  const fields = object(value, 'join answer');
  return {
    clusterId: text(fields, 'clusterId'),
    clusterName: text(fields, 'clusterName'),
    node: text(fields, 'node'),
    nodeId: text(fields, 'nodeId'),
    incarnation: number(fields, 'incarnation'),
    leaseMs: number(fields, 'leaseMs'),
    pollMs: number(fields, 'pollMs'),
  };
}

export function parsePollAnswer(value: unknown): PollAnswer {
  const fields = object(value, 'poll answer');
  const { actions } = fields;
  if (!Array.isArray(actions)) throw new ProtocolError('poll answer: actions is not a list');
  return {
    leaseMs: number(fields, 'leaseMs'),
    actions: actions.map(parseAction),
    ...(Array.isArray(fields['unmanaged']) ? { unmanaged: fields['unmanaged'].map(String) } : {}),
    ...(fields['shutdown'] === true ? { shutdown: true } : {}),
  };
}

/** @returns ids of the acknowledged results */
export function parseAcknowledged(value: unknown): string[] {
  const { acknowledged } = object(value, 'results answer');
  if (!Array.isArray(acknowledged)) throw new ProtocolError('results answer: acknowledged is not a list');
  return acknowledged.map((id) => String(id));
}

export function parseAction(value: unknown): AgentAction {
  const fields = object(value, 'action');
  const kind = text(fields, 'kind');
  if (kind !== 'operation' && kind !== 'fence' && kind !== 'cancel') throw new ProtocolError(`action kind '${kind}' is unknown`);
  return {
    actionId: text(fields, 'actionId'),
    kind,
    transitionKey: text(fields, 'transitionKey'),
    operation: text(fields, 'operation'),
    intervalMs: number(fields, 'intervalMs'),
    timeoutMs: number(fields, 'timeoutMs'),
    ...(typeof fields['startDelayMs'] === 'number' ? { startDelayMs: fields['startDelayMs'] } : {}),
    ...(typeof fields['stopTimeoutMs'] === 'number' ? { stopTimeoutMs: fields['stopTimeoutMs'] } : {}),
    expectedRc: number(fields, 'expectedRc'),
    resource: parseResource(fields['resource']),
    parameters: record(fields['parameters'], 'parameters'),
    meta: record(fields['meta'], 'meta'),
    ...(fields['digests'] === undefined ? {} : { digests: fields['digests'] }),
    ...(fields['fence'] === undefined || fields['fence'] === null ? {} : { fence: parseFence(fields['fence']) }),
    ...optionalText(fields, 'migrateSource'),
    ...optionalText(fields, 'migrateTarget'),
  };
}

function parseResource(value: unknown): ActionResource {
  const fields = object(value, 'resource');
  return {
    id: text(fields, 'id'),
    historyId: text(fields, 'historyId'),
    class: text(fields, 'class'),
    ...optionalText(fields, 'provider'),
    type: text(fields, 'type'),
  };
}

function parseFence(value: unknown): FenceOrder {
  const fields = object(value, 'fence');
  return {
    fencingId: text(fields, 'fencingId'),
    target: text(fields, 'target'),
    action: text(fields, 'action'),
    deviceId: text(fields, 'deviceId'),
    agent: text(fields, 'agent'),
    parameters: record(fields['parameters'], 'fence.parameters'),
  };
}

function object(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ProtocolError(`${what} is not an object`);
  return value as Fields;
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new ProtocolError(`${name} is not a string`);
  return value;
}

function optionalText<K extends string>(fields: Fields, name: K): Partial<Record<K, string>> {
  const value = fields[name];
  return typeof value === 'string' ? ({ [name]: value } as Record<K, string>) : {};
}

function number(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ProtocolError(`${name} is not a number`);
  return value;
}

function record(value: unknown, what: string): Record<string, string> {
  if (value === undefined || value === null) return {};
  return Object.fromEntries(Object.entries(object(value, what)).map(([name, entry]) => [name, String(entry)]));
}
