import type { GraphAction } from '@systole/scheduler';
import type { InjectedAttribute } from '../cib/node-changes.js';
import { attributeInjectionLine } from '../injections/injected-change.js';

/** Something that happened while a graph was executed, in its order (specification 08 §8.5). */
export type ExecutionEvent =
  | { readonly kind: 'pseudo-action'; readonly operationKey: string; readonly node?: string }
  | { readonly kind: 'fencing'; readonly node: string; readonly action: string }
  | { readonly kind: 'cluster-action'; readonly operation: string; readonly node: string; readonly resource?: string }
  | {
      readonly kind: 'resource-action';
      /** Display name. */
      readonly resource: string;
      readonly operation: string;
      /** Milliseconds; 0 when it isn't recurring. */
      readonly interval: number;
      readonly node: string;
    }
  /** An operation was made to fail. */
  | { readonly kind: 'pretended-failure'; readonly actionId: number; readonly rc: number }
  /** A node attribute was set. */
  | ({ readonly kind: 'attribute-injected' } & InjectedAttribute)
  | { readonly kind: 'error'; readonly text: string };

/** What carrying out an action looks like. */
export function describeAction(action: GraphAction, displayName: string): ExecutionEvent {
  const { operation, attributes } = action;
  const node = action.node?.name ?? '';
  switch (action.kind) {
    case 'pseudo_event':
      return { kind: 'pseudo-action', operationKey: action.operationKey, ...(action.node ? { node } : {}) };
    case 'crm_event':
      return operation === 'stonith'
        ? { kind: 'fencing', node, action: attributes['CRM_meta_stonith_action'] ?? '' }
        : { kind: 'cluster-action', operation, node, ...(action.primitive ? { resource: action.primitive.id } : {}) };
    case 'rsc_op':
      return {
        kind: 'resource-action',
        resource: displayName,
        operation,
        interval: hasNoHistory(operation) ? 0 : intervalOf(action),
        node,
      };
  }
}

/** The line of the execution listing, without bullet; undefined for what is no item of the list. */
export function executionLine(event: ExecutionEvent): string | undefined {
  switch (event.kind) {
    case 'pseudo-action':
      return `Pseudo action:   ${event.operationKey}${event.node === undefined ? '' : ` on ${event.node}`}`;
    case 'fencing':
      return `Fencing ${event.node} (${event.action})`;
    case 'cluster-action':
      return `Cluster action:  ${event.operation}${event.resource === undefined ? '' : ` for ${event.resource}`} on ${event.node}`;
    case 'resource-action': {
      const operation = event.interval > 0 ? `${event.operation}=${event.interval}` : event.operation;
      return `Resource action: ${event.resource.padEnd(15)} ${operation} on ${event.node}`;
    }
    case 'attribute-injected':
      return attributeInjectionLine(event);
    case 'pretended-failure':
    case 'error':
      return undefined;
  }
}

/** Milliseconds. */
export function intervalOf(action: GraphAction): number {
  return Number(action.attributes['CRM_meta_interval'] ?? 0);
}

/** Operations that leave no trace in the history (specification 08 §9.1). */
export function hasNoHistory(operation: string): boolean {
  return operation === 'delete' || operation === 'meta-data';
}
