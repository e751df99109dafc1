import { childElements, exitWords, parseInterval, type XmlElement } from '@systole/cib';
import { type Cluster, type ClusterNode, currentNode, isActive, type Resource } from '@systole/scheduler';
import { dateText, utcText } from '../status/date-text.js';
import { statusView, type StatusView } from '../status/display.js';
import { failCountLine, failureLine, shownFailCounts, type ShownFailure, shownFailures } from '../status/failures.js';
import { Listing } from '../status/listing.js';
import { attributeLine, shownAttributes } from '../status/node-attributes.js';
import { nodeStatus, writeNodeList } from '../status/node-list.js';
import { isImplicitConnection, lineBelowNode } from '../status/primitive-line.js';
import { countInstances, groupTitle, isListed, writeResource } from '../status/resource-list.js';
import { banElements } from './bans.js';
import { writeBrief } from './brief-lists.js';
import { type ChosenResources, chosenResources } from './chosen-resources.js';
import { durationText } from './duration-text.js';
import type { FencingRecord, MonitorFacts, MonitorSelection } from './monitor-facts.js';
import { historyElement } from './operation-history.js';
import { DEFAULT_SECTIONS, type MonitorSection } from './sections.js';

/** How the text of a status is written. */
export interface MonitorTextOptions {
  /** Default: what `crm_mon` shows without options. */
  readonly sections?: ReadonlySet<MonitorSection>;
  /** Resources are listed below the nodes that they are on. */
  readonly byNode?: boolean;
  /** What is stopped is listed, too. */
  readonly inactive?: boolean;
  /** Primitives are counted by agent. */
  readonly brief?: boolean;
  /** Ids of nodes, instances of clones, operations with their ids. */
  readonly detail?: boolean;
  /** Operations with when and how long. */
  readonly timing?: boolean;
  /** Only constraints whose ids begin so. */
  readonly banPrefix?: string;
  /** Seconds east of UTC, for dates; default 0. */
  readonly localOffsetSeconds?: number;
}

const MAINTENANCE = `              *** Resource management is DISABLED ***
  The cluster will not attempt to start, stop or recover services
`;

/** The status of a cluster as `crm_mon -1` of Pacemaker 2.1 prints it . @param cluster that was read and is not planned for; its location constraints are read here */
export function monitorText(
  cluster: Cluster,
  facts: MonitorFacts,
  options: MonitorTextOptions = {},
  selection: MonitorSelection = {},
): string {
  const { sections = new Set(DEFAULT_SECTIONS), localOffsetSeconds = 0 } = options;
  const isNodeShown = ({ name }: Pick<ClusterNode, 'name'>): boolean => selection.nodes?.has(name) !== false;
  const chosen = chosenResources(cluster, selection);
  const isShown = (resource: Resource): boolean => chosen.isShown(resource);
  const view: StatusView = {
    ...statusView(cluster, true),
    activeOnly: options.inactive !== true,
    instances: options.detail === true,
    isShown,
    isNodeShown,
  };
  const writers: readonly (readonly [MonitorSection | 'summary', (listing: Listing) => void])[] = [
    [
      'summary',
      (listing) => {
        writeSummary(cluster, facts, sections, options, listing);
      },
    ],
    [
      'maint-mode',
      (listing) => {
        if (cluster.options.maintenanceMode) listing.item(MAINTENANCE.trimEnd());
      },
    ],
    [
      'nodes',
      (listing) => {
        writeNodes(view, options, listing);
      },
    ],
    [
      'resources',
      (listing) => {
        writeResources(view, options, listing);
      },
    ],
    [
      'attributes',
      (listing) => {
        writeAttributes(cluster, isNodeShown, listing);
      },
    ],
    [
      'failcounts',
      (listing) => {
        if (!sections.has('operations')) writeFailCounts(cluster, isNodeShown, chosen, localOffsetSeconds, listing);
      },
    ],
    [
      'operations',
      (listing) => {
        writeOperations(cluster, isNodeShown, chosen, options, listing);
      },
    ],
    [
      'failures',
      (listing) => {
        writeFailures(cluster, isNodeShown, chosen, options, listing);
      },
    ],
    [
      'fencing-failed',
      (listing) => {
        writeFencing('Failed Fencing Actions', facts.fencing, 'failed', listing);
      },
    ],
    [
      'fencing-pending',
      (listing) => {
        writeFencing('Pending Fencing Actions', facts.fencing, 'pending', listing);
      },
    ],
    [
      'fencing-succeeded',
      (listing) => {
        writeFencing('Fencing History', facts.fencing, 'success', listing);
      },
    ],
    [
      'tickets',
      (listing) => {
        writeTickets(facts, localOffsetSeconds, listing);
      },
    ],
    [
      'bans',
      (listing) => {
        writeBans(cluster, isNodeShown, isShown, options.banPrefix ?? '', listing);
      },
    ],
  ];
  const texts = writers.flatMap(([section, write]) => {
    if (section !== 'summary' && !sections.has(section)) return [];
    const listing = new Listing();
    write(listing);
    return listing.length === 0 ? [] : [listing.text()];
  });
  return texts.join('\n');
}

/** Whether everybody is there, on one line, as monitoring programs want it. */
export function monitorLine(cluster: Cluster): { readonly text: string; readonly isWell: boolean } {
  const away = cluster.nodes.filter(({ remoteType, online }) => !remoteType && !online);
  const standby = cluster.nodes.filter(({ standby, online }) => standby && online);
  if (cluster.nodes.length === 0 || away.length > 0) {
    return { text: `CLUSTER WARN: ${away.map(({ name }) => `offline node: ${name}`).join(' ')}\n`, isWell: false };
  }
  const waiting = standby.length === 0 ? '' : `, ${standby.length} standby node${standby.length === 1 ? '' : 's'}`;
  const online = cluster.nodes.length - standby.length;
  const { total } = countInstances(cluster);
  return {
    text: `CLUSTER OK: ${online} node${online === 1 ? '' : 's'} online${waiting}, ${counted(total, 'resource instance')} configured\n`,
    isWell: true,
  };
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function writeSummary(
  cluster: Cluster,
  { coordinator, lastChange }: MonitorFacts,
  sections: ReadonlySet<MonitorSection>,
  { localOffsetSeconds }: MonitorTextOptions,
  listing: Listing,
): void {
  const lines: string[] = [];
  if (sections.has('stack')) lines.push('Stack: systole');
  if (sections.has('dc')) {
    const quorum = `partition ${cluster.quorate ? 'with' : 'WITHOUT'} quorum`;
    lines.push(
      coordinator === undefined ? 'Current DC: NONE' : `Current DC: ${coordinator.name} (version ${coordinator.version}) - ${quorum}`,
    );
  }
  if (sections.has('times')) {
    const { user = '', client = '', origin = '' } = lastChange ?? {};
    const who = [user === '' ? '' : ` by ${user}`, client === '' ? '' : ` via ${client}`, origin === '' ? '' : ` on ${origin}`].join('');
    lines.push(`Last updated: ${dateText(cluster.now, localOffsetSeconds)}`);
    lines.push(`Last change:  ${lastChange === undefined ? '' : dateText(lastChange.at, localOffsetSeconds)}${who}`);
  }
  if (sections.has('counts')) {
    const { total, disabled, blocked } = countInstances(cluster);
    const special = [
      disabled > 0 ? `${disabled} DISABLED` : '',
      blocked > 0 ? `${blocked} BLOCKED from further action due to failure` : '',
    ];
    const words = special.filter((word) => word !== '').join(', ');
    lines.push(`${counted(cluster.nodes.length, 'node')} configured`);
    lines.push(`${counted(total, 'resource instance')} configured${words === '' ? '' : ` (${words})`}`);
  }
  if (sections.has('options')) lines.push(...optionLines(cluster));
  if (lines.length === 0) return;
  listing.list('Cluster Summary', () => {
    for (const line of lines) listing.item(line);
  });
}

const QUORUM_POLICIES: Readonly<Record<string, string>> = {
  freeze: 'Freeze resources',
  stop: 'Stop ALL resources',
  demote: 'Demote promotable resources and stop all other resources',
  ignore: 'Ignore',
  fence: 'Suicide',
};

function optionLines({ options }: Cluster): readonly string[] {
  return [
    `STONITH of failed nodes ${options.fencingEnabled ? 'enabled' : 'disabled'}`,
    `Cluster is ${options.symmetric ? 'symmetric' : 'asymmetric'}`,
    `No quorum policy: ${QUORUM_POLICIES[options.quorumPolicy] ?? options.quorumPolicy}`,
  ];
}

function writeNodes(view: StatusView, options: MonitorTextOptions, listing: Listing): void {
  const { cluster } = view;
  const nodes = cluster.nodes.filter((node) => view.isNodeShown?.(node) !== false);
  if (nodes.length === 0) return;
  if (options.byNode !== true && options.detail !== true) {
    writeNodeList(cluster, listing, (node) => nodes.includes(node));
    return;
  }
  const inner = new Listing();
  inner.list('Node List', () => {
    for (const node of nodes) {
      const kind = node.isGuest ? 'GuestNode' : node.remoteType ? 'RemoteNode' : 'Node';
      const details = options.detail === true ? detailsOf(node) : { host: '', id: '', features: '' };
      const title = `${kind} ${node.name}${details.host}${details.id}: ${nodeStatus(node)}${details.features}`;
      if (options.byNode !== true) inner.item(title);
      else writeNodeWithResources(view, node, title, options, inner);
    }
  });
  listing.item(inner.text().slice(0, -1));
}

/** An id that is the name says nothing; of a guest, where what it runs in is. */
function detailsOf(node: ClusterNode): { readonly host: string; readonly id: string; readonly features: string } {
  const features = node.attributes.get('#feature-set') ?? (node.remoteType ? undefined : '<3.15.1');
  const launcher = node.isGuest ? node.connection?.launcher : undefined;
  return {
    host: launcher === undefined ? '' : `@${currentNode(launcher)?.name ?? ''}`,
    id: node.id === node.name ? '' : ` (${node.id})`,
    features: node.online && features !== undefined ? `, feature set ${features}` : '',
  };
}

function writeNodeWithResources(
  view: StatusView,
  node: ClusterNode,
  title: string,
  { brief = false, detail = false }: MonitorTextOptions,
  listing: Listing,
): void {
  // With details, and where they are counted, the connections of guests are listed, too.
  const running = node.running.filter((one) => (brief || detail || !isImplicitConnection(one)) && isShownIn(view, one));
  if (brief && running.length === 0) return;
  listing.list(title, () => {
    listing.list('Resources', () => {
      if (brief) writeBrief(view, running, listing, false, true);
      else for (const one of running) listing.item(lineBelowNode(view, one));
    });
  });
}

/** A resource is shown when it was asked for, or what it is in. */
function isShownIn(view: StatusView, resource: Resource): boolean {
  return view.isShown?.(resource) !== false || (resource.top !== resource && view.isShown(resource.top));
}

function writeResources(view: StatusView, options: MonitorTextOptions, listing: Listing): void {
  const listed = view.cluster.resources.filter(isListed);
  if (options.byNode === true) {
    const stopped = listed.filter((resource) => !resource.children.concat(resource).some(isActive));
    if (options.inactive === true) writeList('Inactive Resources', 'No inactive resources', view, stopped, options, listing);
    return;
  }
  const [title, none] =
    options.inactive === true ? ['Full List of Resources', 'No resources'] : ['Active Resources', 'No active resources'];
  writeList(title, none, view, listed, options, listing);
}

function writeList(
  title: string,
  none: string,
  view: StatusView,
  resources: readonly Resource[],
  options: MonitorTextOptions,
  listing: Listing,
): void {
  const inner = new Listing();
  inner.list(title, () => {
    if (options.brief === true) {
      const primitives = resources.filter((one) => one.kind === 'primitive' && view.isShown?.(one) !== false);
      writeBrief(view, primitives, inner, options.inactive === true);
    }
    for (const resource of resources) {
      if (options.brief !== true || (resource.kind !== 'primitive' && resource.kind !== 'group')) writeResource(view, resource, inner);
      else if (resource.kind === 'group' && (view.activeOnly !== true || resource.children.some(isActive))) {
        inner.list(groupTitle(resource), () => {
          writeBrief(view, resource.children, inner, true);
        });
      }
    }
    if (inner.length === 1) inner.item(none);
  });
  listing.item(inner.text().slice(0, -1));
}

function writeAttributes(cluster: Cluster, isNodeShown: (node: ClusterNode) => boolean, listing: Listing): void {
  const nodes = cluster.nodes
    .filter((node) => node.online && isNodeShown(node))
    .map((node) => ({ node, attributes: shownAttributes(cluster, node) }));
  const shown = nodes.filter(({ attributes }) => attributes.length > 0);
  if (shown.length === 0) return;
  listing.list('Node Attributes', () => {
    for (const { node, attributes } of shown) {
      listing.list(`Node: ${node.name}`, () => {
        for (const attribute of attributes) listing.item(attributeLine(attribute));
      });
    }
  });
}

function writeFailCounts(
  cluster: Cluster,
  isNodeShown: (node: ClusterNode) => boolean,
  chosen: ChosenResources,
  localOffsetSeconds: number,
  listing: Listing,
): void {
  const nodes = shownFailCounts(cluster).map(({ node, counts }) => ({
    node,
    counts: counts.filter(({ resource }) => chosen.hasHistory(resource)),
  }));
  const shown = nodes.filter(({ node, counts }) => counts.length > 0 && isNodeShown(node));
  if (shown.length === 0) return;
  listing.list('Migration Summary', () => {
    for (const { node, counts } of shown) {
      listing.list(`Node: ${node.name}`, () => {
        for (const count of counts) listing.item(failCountLine(count, localOffsetSeconds));
      });
    }
  });
}

function writeOperations(
  cluster: Cluster,
  isNodeShown: (node: ClusterNode) => boolean,
  chosen: ChosenResources,
  options: MonitorTextOptions,
  listing: Listing,
): void {
  const isNameShown = (name: string): boolean => cluster.nodes.some((node) => node.name === name && isNodeShown(node));
  const history = childElements(
    historyElement(cluster, isNameShown, (resource) => chosen.hasHistory(resource), options.localOffsetSeconds),
  );
  if (history.length === 0) return;
  listing.list('Operations', () => {
    for (const node of history) {
      listing.list(`Node: ${node.attributes['name'] ?? ''}`, () => {
        for (const resource of childElements(node)) {
          listing.list(historyTitle(resource), () => {
            for (const { attributes } of childElements(resource)) listing.item(operationLine(attributes, options.timing === true));
          });
        }
      });
    }
  });
}

function historyTitle({ attributes }: XmlElement): string {
  const { id = '', orphan, 'migration-threshold': threshold = '', 'fail-count': failCount, 'last-failure': lastFailure } = attributes;
  if (orphan === 'true') return `${id}: orphan`;
  const failures = failCount === undefined ? '' : ` fail-count=${failCount}`;
  return `${id}: migration-threshold=${threshold}${failures}${lastFailure === undefined ? '' : ` last-failure='${lastFailure}'`}`;
}

function operationLine(attributes: XmlElement['attributes'], isTimed: boolean): string {
  const { call = '', task = '', rc = '', rc_text: words = '', interval } = attributes;
  const every = interval === undefined ? [] : [`interval="${interval}"`];
  const times = ['last-rc-change', 'exec-time', 'queue-time'].flatMap((name) => {
    const value = attributes[name];
    return value === undefined ? [] : [`${name}="${value}"`];
  });
  const parts = isTimed ? [...every, ...times, `rc=${rc} (${words})`] : every;
  return `(${call}) ${task}${parts.length === 0 ? '' : `: ${parts.join(' ')}`}`;
}

function writeFailures(
  cluster: Cluster,
  isNodeShown: (node: ClusterNode) => boolean,
  chosen: ChosenResources,
  options: MonitorTextOptions,
  listing: Listing,
): void {
  const failures = shownFailures(cluster, (failed) => isNodeShown(failed.node) && chosen.hasFailure(failed));
  if (failures.length === 0) return;
  listing.list('Failed Resource Actions', () => {
    for (const failure of failures) {
      const { localOffsetSeconds } = options;
      listing.item(
        options.detail === true
          ? failureLine({ ...failure, exitText: exitWords(failure.rc) }, localOffsetSeconds)
          : failureSentence(failure, localOffsetSeconds),
      );
    }
  });
}

/** What failed, for people. */
function failureSentence(failure: ShownFailure, localOffsetSeconds = 0): string {
  const { key, node, task, interval, rc, statusText, exitReason = '', lastChange, executed } = failure;
  const resource = key.endsWith(`_${task}_${interval}`) ? key.slice(0, -`_${task}_${interval}`.length) : key;
  const every = Number(interval) > 0 ? `${durationText(parseInterval(`${interval}ms`) ?? Number(interval))}-interval ` : '';
  const isProbe = task === 'monitor' && Number(interval) === 0;
  const how =
    statusText === 'complete'
      ? `returned '${exitWords(rc)}'${exitReason === '' ? '' : ` (${exitReason})`}`
      : `could not be executed (${statusText}${exitReason === '' ? '' : `: ${exitReason}`})`;
  const at = lastChange === undefined ? '' : ` at ${dateText(lastChange, localOffsetSeconds)}`;
  const took = Number(executed ?? 0) > 0 ? ` after ${durationText(Number(executed))}` : '';
  return `${resource} ${every}${isProbe ? 'probe' : task} on ${node} ${how}${at}${took}`;
}

function writeFencing(title: string, fencing: readonly FencingRecord[], status: FencingRecord['status'], listing: Listing): void {
  const shown = fencing.filter((one) => one.status === status);
  if (shown.length === 0) return;
  listing.list(title, () => {
    for (const record of shown) listing.item(fencingLine(record));
  });
}

const FENCING_WORDS = { success: 'successful', failed: 'failed', pending: 'pending' } as const;

/** Fencing as it stands in a list for people. Its moment is in UTC. @param failedWhen what names the moment at which it failed */
export function fencingLine(
  { action, target, client, delegate, status, reason, completedAt }: FencingRecord,
  failedWhen: 'last-failed' | 'completed' = 'last-failed',
): string {
  const when = completedAt === undefined ? '' : `, ${status === 'failed' ? failedWhen : 'completed'}='${utcText(completedAt)}'`;
  const why = reason === undefined || reason === '' ? '' : ` (${reason})`;
  return `${action} of ${target} ${FENCING_WORDS[status]}${why}: delegate=${delegate}, client=${client}, origin=${client}${when}`;
}

function writeTickets({ tickets }: MonitorFacts, localOffsetSeconds: number, listing: Listing): void {
  if (tickets.length === 0) return;
  listing.list('Tickets', () => {
    for (const { id, granted, standby, lastGrantedAt } of tickets) {
      const last = lastGrantedAt === undefined ? '' : ` last-granted="${dateText(lastGrantedAt, localOffsetSeconds)}"`;
      listing.item(`${id}: ${granted ? 'granted' : 'revoked'}${standby ? ' [standby]' : ''}${last}`);
    }
  });
}

function writeBans(
  cluster: Cluster,
  isNodeShown: (node: Pick<ClusterNode, 'name'>) => boolean,
  isShown: (resource: Resource) => boolean,
  prefix: string,
  listing: Listing,
): void {
  const bans = banElements(cluster, (name) => isNodeShown({ name }), isShown).filter(
    ({ attributes }) => attributes['id']?.startsWith(prefix) === true,
  );
  if (bans.length === 0) return;
  listing.list('Negative Location Constraints', () => {
    for (const { attributes } of bans) {
      const { id = '', resource = '', node = '', 'promoted-only': promoted } = attributes;
      listing.item(`${id}\tprevents ${resource} from running ${promoted === 'true' ? 'as Promoted ' : ''}on ${node}`);
    }
  });
}
