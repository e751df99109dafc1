import {
  agentFindings,
  CibRefused,
  element,
  findingsOf,
  firstChildNamed,
  readCib,
  serializeXml,
  XmlError,
  type ConfigurationFinding,
  type UpgradeChange,
  type Sealing,
  type XmlElement,
} from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { changeConfiguration, invalidConfiguration } from './configuration-change.js';
import { documentVersion } from '../state/document-version.js';
import { putOnly } from '../state/tree.js';
import type { CreateCluster, ReplaceConfiguration } from './cluster-command.js';
import type { ConfigurationReading, Decision, DocumentUpgrade } from './decision.js';
import { doubtful, doubtsIn, doubtsOf, forcedIn, issuesOf } from './doubtful-configuration.js';
import { accept, CLUSTER_NAME, reject } from './rejection.js';
import { ticketsOf, ticketsTaken } from './imported-tickets.js';
import { sealed } from './sealed-configuration.js';

/** Reads a document as strictly as one who edits the configuration must be read. The costly part of every command that carries one. */
export function readConfiguration(text: string): ConfigurationReading {
  try {
    const changes: UpgradeChange[] = [];
    const { document } = readCib(text, { strict: true, mistakes: 'refuse', old: 'convert', onChange: (change) => changes.push(change) });
    if (firstChildNamed(document, 'configuration') === undefined) return { ok: false, issues: [{ message: 'cib has no configuration' }] };
    return { ok: true, cib: putOnly(document, element('status')), upgrade: summaryOf(changes), tickets: ticketsOf(document) };
  } catch (thrown) {
    if (thrown instanceof XmlError) {
      return { ok: false, issues: [{ message: thrown.message, ...(thrown.line === undefined ? {} : { line: thrown.line }) }] };
    }
    if (!(thrown instanceof CibRefused)) throw thrown;
    const issues = thrown.problems.map(({ message, path, line }) => ({ message, path, ...(line === undefined ? {} : { line }) }));
    if (issues.length === 0) return { ok: false, issues: [{ message: thrown.message }] };
    const legible = readCib(text, { old: 'convert' }).document;
    return { ok: false, issues, findings: furtherFindings(legible, thrown), legible };
  }
}

/** So many are named: more than anybody reads, and not so many that an answer gets long. */
const MOST_CHANGES = 200;
const RANK: Readonly<Record<UpgradeChange['kind'], number>> = { check: 0, dropped: 1, rewritten: 2 };

function summaryOf(changes: readonly UpgradeChange[]): DocumentUpgrade {
  return { count: changes.length, changes: changes.toSorted((one, other) => RANK[one.kind] - RANK[other.kind]).slice(0, MOST_CHANGES) };
}

/** What is surely not meant in a document that is not valid either, so that all is told at once. */
function furtherFindings(document: XmlElement, { problems }: CibRefused): readonly ConfigurationFinding[] {
  const told = new Set(problems.map(({ path, attribute = '' }) => `${path} ${attribute}`));
  return findingsOf(document).filter(({ path, attribute = '' }) => !told.has(`${path} ${attribute}`));
}

export function createCluster(command: CreateCluster, state: ClusterState, read: typeof readConfiguration, sealing?: Sealing): Decision {
  if (state.existence !== 'none') return reject(state, 'cluster-exists', `the cluster ${state.name} exists already`);
  if (!CLUSTER_NAME.test(command.name)) {
    return reject(state, 'invalid-argument', 'a name is 1 to 64 characters of A-Z a-z 0-9 . _ - and begins with a letter or digit', {
      pointer: '/name',
    });
  }
  const why = command.reason === undefined ? {} : { reason: command.reason };
  if (command.cib === undefined) return accept({ type: 'ClusterCreated', data: { name: command.name, cib: '', ...why } });
  const reading = read(command.cib);
  if (!reading.ok) return invalidConfiguration(state, [...reading.issues, ...issuesOf(doubtsOf(reading.findings ?? [], undefined))]);
  const doubts = doubtsIn(reading.cib, undefined);
  if (doubts.fresh.length > 0 && command.force !== true) return doubtful(state, doubts);
  const from = sealing === undefined ? undefined : { sealing, before: undefined, of: 'all' as const, restored: false };
  const result = sealed(state, reading.cib, from);
  if (!result.ok) return result;
  const data = { name: command.name, cib: serializeXml(result.cib), ...why, ...forcedIn(doubts) };
  return { ...accept({ type: 'ClusterCreated', data }, ...ticketsTaken(reading.tickets)), ...result.kept, upgrade: reading.upgrade };
}

/** Replaces the configuration but for what is known of the nodes (`withKnownNodes`). */
export function replaceConfiguration(
  command: ReplaceConfiguration,
  state: ClusterState,
  read: typeof readConfiguration,
  sealing?: Sealing,
): Decision {
  const reading = read(command.cib);
  if (!reading.ok) {
    const { issues, findings = [], legible } = reading;
    const ofAgents = legible === undefined ? [] : agentFindings(legible, command.agents);
    return invalidConfiguration(state, [...issues, ...issuesOf(doubtsOf([...findings, ...ofAgents], state.cib, command.agents))]);
  }
  const { type, restores, reason, force, agents } = command;
  const named =
    restores === undefined ? { command: type, arguments: {} } : { command: 'restore-configuration', arguments: { version: restores } };
  const asked = { ...named, ...(reason === undefined ? {} : { reason }) };
  // What was the configuration once is brought back as it was; the event says what of it is doubtful.
  const isForced = force === true || restores !== undefined;
  const secrets = sealing === undefined ? undefined : { sealing, of: 'all' as const, restored: restores !== undefined };
  const decision = changeConfiguration(state, reading.cib, asked, {
    written: 'read',
    doubts: isForced ? 'force' : 'refuse',
    agents,
    // What was the configuration once is older by its number, and is put in force as the newest.
    version: restores === undefined ? documentVersion(reading.cib) : undefined,
    secrets,
  });
  return decision.ok ? { ...decision, upgrade: reading.upgrade } : decision;
}
