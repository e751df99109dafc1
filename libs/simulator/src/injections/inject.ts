import { element } from '@systole/cib';
import { recordResult } from '../cib/history.js';
import type { Draft } from '../cib/draft.js';
import { bringOnline, failNode, injectFailCount, takeDown } from '../cib/node-changes.js';
import type { WorkingCib } from '../cib/working-cib.js';
import { InvalidOperationSpecError, type OperationSpec, parseOperationSpec } from '../execution/operation-spec.js';
import type { InjectedChange } from './injected-change.js';
import type { Injections } from './injections.js';

/** What is known of the configuration while results are injected. */
export interface InjectionContext {
  /** Real time in epoch seconds, which injected history carries. */
  readonly clock: number;
  /** Agent of the resource with that id or history name; undefined for one that isn't there. */
  readonly agentOf: (resource: string) => { readonly class: string; readonly provider?: string; readonly type: string } | undefined;
  readonly startFailureIsFatal: boolean;
  readonly featureSet: string;
}

/**
 * Applies injections in the order that specification 08 §10.2 fixes.
 *
 * @throws {UnknownNodeError} when a node is named that nothing knows.
 */
export function inject(cib: WorkingCib, injections: Injections, context: InjectionContext): InjectedChange[] {
  const changes: InjectedChange[] = [];
  const { quorum, watchdog } = injections;
  if (quorum !== undefined) {
    cib.setRootAttribute('have-quorum', quorum);
    changes.push({ kind: 'quorum', value: quorum });
  }
  if (watchdog !== undefined) {
    setClusterOption(cib, 'have-watchdog', watchdog);
    changes.push({ kind: 'watchdog', value: watchdog });
  }
  cib.addsNodes = (injections.nodesUp?.length ?? 0) > 0;
  const nodeChanges = [
    [injections.nodesUp, 'online', bringOnline],
    [injections.nodesDown, 'offline', takeDown],
    [injections.nodesFailed, 'failing', failNode],
  ] as const;
  for (const [nodes, action, change] of nodeChanges) {
    for (const node of nodes ?? []) {
      change(cib.nodeStateByName(node), cib);
      changes.push({ kind: 'node', action, node });
    }
  }
  const ticketChanges = [
    [injections.ticketsGranted, 'granting', 'granted', 'true'],
    [injections.ticketsRevoked, 'revoking', 'granted', 'false'],
    [injections.ticketsStandby, 'standby', 'standby', 'true'],
    [injections.ticketsActivated, 'activating', 'standby', 'false'],
  ] as const;
  for (const [tickets, action, attribute, value] of ticketChanges) {
    for (const ticket of tickets ?? []) {
      setTicket(cib, ticket, attribute, value);
      changes.push({ kind: 'ticket', action, ticket });
    }
  }
  for (const spec of injections.operations ?? []) {
    changes.push({ kind: 'operation', spec }, ...injectOperation(cib, spec, context));
  }
  return changes;
}

function setClusterOption(cib: WorkingCib, name: string, value: string): void {
  const options = cib.configuration.firstOrNew('crm_config');
  const sets = options.all('cluster_property_set');
  const found = sets.map((set) => set.find('nvpair', (get) => get('name') === name)).filter((pair) => pair !== undefined);
  if (found.length === 0) found.push(bootstrapOptions(options).append(element('nvpair', { id: `cib-bootstrap-options-${name}`, name })));
  for (const pair of found) pair.set('value', value);
  cib.countConfigurationChange();
}

/** The set of options that precedes all others (specification 01 §4.1). */
function bootstrapOptions(options: Draft): Draft {
  const id = 'cib-bootstrap-options';
  return options.byId('cluster_property_set', id) ?? options.append(element('cluster_property_set', { id }));
}

function setTicket(cib: WorkingCib, id: string, attribute: string, value: string): void {
  const tickets = cib.status.firstOrNew('tickets');
  const ticket = tickets.byId('ticket_state', id) ?? tickets.append(element('ticket_state', { id }));
  ticket.set(attribute, value);
  cib.countChange();
}

/** Records one result (specification 08 §10.3). */
function injectOperation(cib: WorkingCib, text: string, context: InjectionContext): InjectedChange[] {
  let spec: OperationSpec;
  try {
    spec = parseOperationSpec(text);
  } catch (error) {
    if (error instanceof InvalidOperationSpecError) return [{ kind: 'error', text: error.message }];
    throw error;
  }
  const { resource, task, interval, node, rc } = spec;
  const agent = context.agentOf(resource);
  if (!agent) return [{ kind: 'error', text: `Invalid resource name: ${resource}` }];
  const state = cib.nodeStateByName(node);
  const fatal = task === 'stop' || (task === 'start' && context.startFailureIsFatal);
  const attributes = injectFailCount(state, { resource, task, interval, rc }, fatal, context.clock);
  recordResult(
    state,
    { configurationId: resource, displayName: resource, ...agent },
    {
      task,
      interval,
      rc,
      expectedRc: 0,
      exitReason: rc === 0 ? '' : 'Simulated action result',
      nodeName: node,
      clock: context.clock,
      featureSet: context.featureSet,
    },
  );
  return attributes.map((attribute) => ({ kind: 'attribute', ...attribute }));
}
