import type { InjectedAttribute } from '../cib/node-changes.js';

/** A change that an injection made, or an error that kept it from doing so (specification 08 §10.2). */
export type InjectedChange =
  | { readonly kind: 'quorum'; readonly value: string }
  | { readonly kind: 'watchdog'; readonly value: string }
  | { readonly kind: 'node'; readonly action: 'online' | 'offline' | 'failing'; readonly node: string }
  | { readonly kind: 'ticket'; readonly action: 'granting' | 'revoking' | 'standby' | 'activating'; readonly ticket: string }
  | { readonly kind: 'operation'; readonly spec: string }
  | ({ readonly kind: 'attribute' } & InjectedAttribute)
  | { readonly kind: 'error'; readonly text: string };

/** The line of the list of modifications, without bullet. */
export function injectionLine(change: InjectedChange): string {
  switch (change.kind) {
    case 'quorum':
      return `Setting quorum: ${change.value}`;
    case 'watchdog':
      return `Setting watchdog: ${change.value}`;
    case 'node':
      return nodeLines[change.action](change.node);
    case 'ticket':
      return ticketLines[change.action](change.ticket);
    case 'operation':
      return `Injecting ${change.spec} into the configuration`;
    case 'attribute':
      return attributeInjectionLine(change);
    case 'error':
      return change.text;
  }
}

/** The line about an attribute that was set. */
export function attributeInjectionLine({ name, value, nodeId }: InjectedAttribute): string {
  return `Injecting attribute ${name}=${value} into /node_state '${nodeId}'`;
}

const nodeLines = {
  online: (node: string) => `Bringing node ${node} online`,
  offline: (node: string) => `Taking node ${node} offline`,
  failing: (node: string) => `Failing node ${node}`,
};

const ticketLines = {
  granting: (ticket: string) => `Granting ticket ${ticket}`,
  revoking: (ticket: string) => `Revoking ticket ${ticket}`,
  standby: (ticket: string) => `Making ticket ${ticket} standby`,
  activating: (ticket: string) => `Activating ticket ${ticket}`,
};
