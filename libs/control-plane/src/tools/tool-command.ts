import type { AskedByTool } from '@systole/cluster';
import type { ToolRequest } from '@systole/protocol';

/** What a command has that a tool does not say. */
export interface ToolMoment {
  /** Epoch seconds. */
  readonly now: number;
  /** A new id, unique for ever. */
  readonly uuid: () => string;
  /** Who asked, and why. */
  readonly reason?: string;
}

/** The command that is meant by what a tool asks for: one meaning, whoever asks. */
export function toolCommand(request: ToolRequest, { now, uuid, reason }: ToolMoment): AskedByTool {
  const why = reason === undefined ? {} : { reason };
  switch (request.ask) {
    case 'set-section-value': {
      const { section, name, set } = request;
      return { type: 'set-section-value', section, name, ...valueIn(request), ...(set === undefined ? {} : { set }), ...why };
    }
    case 'set-resource-value': {
      const { resource, kind, name } = request;
      return { type: 'set-resource-value', resource, kind, name, ...valueIn(request), ...why };
    }
    case 'set-node-utilization':
      return { type: 'set-node-utilization', node: request.node, name: request.name, ...valueIn(request), ...why };
    case 'set-node-attribute': {
      const { node, name, value, lifetime } = request;
      const of = { node, name, lifetime, ...why };
      return value === null ? { type: 'clear-node-attribute', ...of } : { type: 'set-node-attribute', ...of, value };
    }
    case 'change-document':
      return { type: 'change-document', changes: request.changes, ...(request.force === true ? { force: true as const } : {}), ...why };
    case 'ban':
      return { type: 'ban-resource', ...placementIn(request), now, ...why };
    case 'move':
      return { type: 'move-resource', ...placementIn(request), now, ...why };
    case 'begin-restart':
      return { type: 'begin-restart', resource: request.resource, now, seconds: request.seconds, ...why };
    case 'end-restart':
      return { type: 'end-restart', resource: request.resource };
    case 'clear': {
      const { resource, expired } = request;
      return { type: 'clear-resource', resource, ...nodeIn(request), ...(expired === true ? { expired } : {}), now, ...why };
    }
    case 'clean-up': {
      const { operation, intervalMs } = request;
      return {
        type: 'clean-up-resource',
        ...resourceIn(request),
        ...nodeIn(request),
        ...(operation === undefined ? {} : { operation }),
        ...(intervalMs === undefined ? {} : { intervalMs }),
        ...why,
      };
    }
    case 'refresh':
      return { type: 'refresh-resource', ...resourceIn(request), ...nodeIn(request), ...why };
    case 'fail':
      return { type: 'fail-resource', resource: request.resource, node: request.node, now, ...why };
    case 'change-ticket': {
      const { ticket, granted, standby, attributes } = request;
      return {
        type: 'change-ticket',
        ticket,
        ...(granted === undefined ? {} : { granted }),
        ...(standby === undefined ? {} : { standby }),
        ...(attributes === undefined ? {} : { attributes }),
        ...why,
      };
    }
    case 'forget-ticket':
      return { type: 'forget-ticket', ticket: request.ticket, ...why };
    case 'fence':
      return { type: 'fence-node', node: request.node, ...(request.action === undefined ? {} : { action: request.action }), ...why };
    case 'power-on':
      return { type: 'power-on-node', debugId: uuid(), node: request.node, ...why };
    case 'confirm-down':
      return { type: 'confirm-node-down', node: request.node, ...why };
    case 'clear-fencing-history':
      return { type: 'clear-fencing-history', ...nodeIn(request), ...why };
    case 'remove-node':
      return { type: 'remove-node', node: request.node, ...why };
  }
}

type Asks<Kind extends ToolRequest['ask']> = Extract<ToolRequest, { readonly ask: Kind }>;

function valueIn({ value }: { readonly value: string | null }): { readonly value?: string } {
  return value === null ? {} : { value };
}

function nodeIn({ node }: { readonly node?: string }): { readonly node?: string } {
  return node === undefined ? {} : { node };
}

function resourceIn({ resource }: { readonly resource?: string }): { readonly resource?: string } {
  return resource === undefined ? {} : { resource };
}

function placementIn({ resource, node, promoted, lifetime }: Asks<'ban' | 'move'>) {
  return {
    resource,
    ...(node === undefined ? {} : { node }),
    ...(promoted === true ? { promoted } : {}),
    ...(lifetime === undefined ? {} : { lifetime }),
  };
}
