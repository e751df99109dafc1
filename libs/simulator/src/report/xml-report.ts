import { element, serializeXml, type XmlElement } from '@systole/cib';
import { type Cluster, placementEntries, type SchedulerRun } from '@systole/scheduler';
import type { ExecutionEvent } from '../execution/executed-action.js';
import type { InjectedChange } from '../injections/injected-change.js';
import type { InjectedAttribute } from '../cib/node-changes.js';
import { changeEnds } from '../summary/change-ends.js';
import { describeChanges, type DescribedChange } from '../summary/describe-changes.js';
import { MOST_SCORE_LINES, type ReportEnd, type Reporter, type ReportOptions, type WriteChunk } from './report-options.js';
import { placementXml } from './xml-placement.js';
import { xmlResult } from './xml-result.js';
import { statusElement } from './xml-status.js';

/** The report of a simulation as XML, in the form of the reference's. It is written when it is finished. */
export class XmlReport implements Reporter {
  /** Indented by two blanks. */
  private readonly sections: string[] = [];
  private readonly errors: string[] = [];
  private readonly execution: XmlElement[] = [];

  /**
   * @param request the command line, to be repeated in the output.
   */
  constructor(
    private readonly options: ReportOptions,
    private readonly request: string,
    private readonly write: WriteChunk,
  ) {}

  current(cluster: Cluster): void {
    this.add(statusElement('cluster_status', cluster, true, this.options));
  }

  modified(changes: readonly InjectedChange[]): void {
    const attributes: Record<string, string> = {};
    const children: XmlElement[] = [];
    for (const change of changes) {
      if (change.kind === 'error') this.errors.push(change.text);
      else if (change.kind === 'quorum' || change.kind === 'watchdog') attributes[change.kind] = change.value;
      else children.push(injectionElement(change));
    }
    this.add(element('modifications', attributes, children));
  }

  scored(run: SchedulerRun): void {
    const { scores, utilization } = this.options;
    if (scores || utilization) this.sections.push(placementXml(placementEntries(run.cluster, MOST_SCORE_LINES), this.options));
  }

  planned(run: SchedulerRun): void {
    const { nodes, resources } = describeChanges(run);
    const nodeActions = nodes.map(({ kind, action, node, reason }) =>
      element('node_action', { task: action === undefined ? kind : `${kind} (${action})`, node, reason }),
    );
    this.add(element('actions', {}, [...nodeActions, ...resources.map(changeElement)]));
  }

  executing(): void {
    this.execution.length = 0;
  }

  executed(event: ExecutionEvent): void {
    if (event.kind === 'error') this.errors.push(event.text);
    else if (event.kind !== 'pretended-failure') this.execution.push(eventElement(event));
  }

  revised(cluster: Cluster): void {
    this.add(element('transition', {}, this.execution));
    this.add(statusElement('revised_cluster_status', cluster, false, this.options));
  }

  finish(end: ReportEnd): void {
    const blocks = xmlResult(this.request, this.sections, { ...end, errors: [...this.errors, ...end.errors] });
    for (const text of blocks) this.write({ stream: 'stdout', text });
  }

  private add(section: XmlElement): void {
    this.sections.push(serializeXml(section, '  '));
  }
}

function injectionElement(change: Exclude<InjectedChange, { kind: 'error' | 'quorum' | 'watchdog' }>): XmlElement {
  switch (change.kind) {
    case 'node':
      return element('modify_node', { action: capital(change.action), node: change.node });
    case 'ticket':
      return element('modify_ticket', { action: capital(change.action), ticket: change.ticket });
    case 'operation':
      return element('inject_spec', { spec: change.spec });
    case 'attribute':
      return attributeElement(change);
  }
}

function attributeElement({ name, value, nodeId }: InjectedAttribute): XmlElement {
  return element('inject_attr', { name, value, node_path: '/node_state', cib_node: nodeId });
}

function changeElement(change: DescribedChange): XmlElement {
  const { role, nextRole, from, to, single } = changeEnds(change);
  const nodes = single ? { node: from ?? to ?? '' } : { source: from ?? '', ...(to === undefined ? {} : { dest: to }) };
  return element('rsc_action', {
    action: change.verb.toLowerCase(),
    resource: change.resource,
    ...(role === undefined ? {} : { role }),
    ...(nextRole === undefined ? {} : { 'next-role': nextRole }),
    ...(single && from === undefined && role !== undefined ? { dest: to ?? '' } : nodes),
    ...(change.reason === undefined ? {} : { reason: change.reason }),
    ...(change.blocked ? { blocked: 'true' } : {}),
  });
}

function eventElement(event: Exclude<ExecutionEvent, { kind: 'error' | 'pretended-failure' }>): XmlElement {
  switch (event.kind) {
    case 'pseudo-action':
      return element('pseudo_action', { task: event.operationKey, ...(event.node === undefined ? {} : { node: event.node }) });
    case 'fencing':
      return element('fencing_action', { target: event.node, op: event.action });
    case 'cluster-action':
      return element('cluster_action', {
        task: event.operation,
        node: event.node,
        ...(event.resource === undefined ? {} : { id: event.resource }),
      });
    case 'resource-action':
      return element('rsc_action', {
        resource: event.resource,
        op: event.operation,
        node: event.node,
        ...(event.interval > 0 ? { interval: String(event.interval) } : {}),
      });
    case 'attribute-injected':
      return attributeElement(event);
  }
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
