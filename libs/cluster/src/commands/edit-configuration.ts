import {
  applyElementEdits,
  elementWithId,
  pointersOf,
  type EditFinding,
  type ElementEdit,
  type Sealing,
  type WrittenPlaces,
  type XmlElement,
} from '@systole/cib';
import type { ClusterState } from '../state/cluster-state.js';
import { configurationOf, editConfiguration } from '../state/configuration.js';
import { mayRun } from '../state/stopping.js';
import type { EditConfiguration } from './cluster-command.js';
import type { Decision, RejectionCode, RejectionIssue } from './decision.js';
import { changeConfiguration } from './configuration-change.js';
import { reject } from './rejection.js';

const EDITS = '/edits';

/**
 * Edits of elements as one change of the configuration, or none. Each finding says where in the edits it is. The event's arguments name what was edited; its changes have the contents.
 */
export function editElements({ type, edits, reason, force, agents }: EditConfiguration, state: ClusterState, sealing?: Sealing): Decision {
  const running = runningNode(edits, state);
  if (running !== undefined) return running;
  const edited = applyElementEdits(configurationOf(state.cib), edits, EDITS);
  if (!edited.ok) return refused(edited.findings, state);
  const next = editConfiguration(state.cib, () => edited.configuration);
  const asked = { command: type, arguments: { edits: edits.map(named) }, ...(reason === undefined ? {} : { reason }) };
  const secrets = sealing === undefined ? undefined : { sealing, of: 'changed' as const, restored: false };
  const decision = changeConfiguration(state, next, asked, {
    written: 'edited',
    doubts: force === true ? 'force' : 'refuse',
    agents,
    secrets,
  });
  if (decision.ok || decision.rejection.issues === undefined) return decision;
  return {
    ok: false,
    rejection: { ...decision.rejection, pointer: EDITS, issues: placed(decision.rejection.issues, next, edited.places) },
  };
}

/** What is edited, without what is written. */
function named(edit: ElementEdit): Readonly<Record<string, unknown>> {
  const { element, patch, xml, ...rest } = { element: undefined, patch: undefined, xml: undefined, ...edit };
  const created = edit.edit === 'create' && typeof element === 'object' && element !== null ? Object.entries(element) : [];
  const names = created.filter(([field, value]) => ['element', 'id', 'parent'].includes(field) && typeof value === 'string');
  return patch === undefined && xml === undefined && created.length === 0 ? rest : { ...rest, ...Object.fromEntries(names) };
}

/** Its entry would come back, bare: without it nobody would look for what runs there. */
function runningNode(edits: readonly ElementEdit[], state: ClusterState): Decision | undefined {
  for (const [index, edit] of edits.entries()) {
    if (edit.edit !== 'delete' || edit.collection !== 'nodes') continue;
    const name = elementWithId(configurationOf(state.cib), 'nodes', edit.id)?.element.attributes['uname'];
    const member = Object.values(state.nodes).find((known) => known.name === name);
    if (member === undefined || !mayRun(member)) continue;
    const message = `${member.name} may run resources: stop its agent, fence it, or confirm that it is down; then delete it`;
    return reject(state, 'still-active', message, { pointer: `${EDITS}/${String(index)}/id` });
  }
  return undefined;
}

const CODES: readonly (readonly [EditFinding['kind'], RejectionCode])[] = [
  ['not-found', 'element-not-found'],
  ['in-use', 'element-in-use'],
  ['test-failed', 'patch-test-failed'],
];

/** One kind of finding has its own code; with others it is told among what is not valid. */
function refused(findings: readonly EditFinding[], state: ClusterState): Decision {
  const issues = findings.map(issueOf);
  const first = issues[0]?.message ?? 'the edits can not be made';
  const message = issues.length > 1 ? `${first} (and ${String(issues.length - 1)} more)` : first;
  const isAll = (kind: EditFinding['kind']): boolean => findings.every((finding) => finding.kind === kind);
  return reject(state, CODES.find(([kind]) => isAll(kind))?.[1] ?? 'invalid-configuration', message, { pointer: EDITS, issues });
}

function issueOf({ message, pointer, line, inTheWay }: EditFinding): RejectionIssue {
  const issue = { message, pointer, ...(line === undefined ? {} : { line }) };
  if (inTheWay === undefined) return issue;
  const { element: kind, ...about } = inTheWay;
  return { ...issue, about: { kind, ...about } };
}

function placed(issues: readonly RejectionIssue[], document: XmlElement, places: WrittenPlaces): readonly RejectionIssue[] {
  const pointerOf = pointersOf(document, places);
  return issues.map((issue) => ({ ...issue, pointer: pointerOf(issue) ?? EDITS }));
}
