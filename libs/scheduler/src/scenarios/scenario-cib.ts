import { type Cib, element, parseDateTime, readCib, type XmlElement } from '@systole/cib';
import { constraintElement } from './scenario-constraint.js';
import { cibDocument } from './scenario-document.js';
import { addTo, configuredNode, emptyDraft, existing, nodeNamed, type ScenarioDraft } from './scenario-draft.js';
import { addEntry, addFailure, addHistory } from './scenario-history.js';
import { addResource, agentAttributes } from './scenario-resource.js';
import { changed, nvpairSet, split } from './scenario-words.js';
import { logicalLines, parsed, placeXml, putXml } from './scenario-xml.js';

/**
 * Builds a CIB from the upper half of a scenario file. Statements, one per line (`#` and a blank start a comment):
 *
 * - `nodes n1 n2` online members (remote nodes and guests come from their resources); `node n3 offline|unclean|unseen|standby|maintenance|pending|shutdown|remote [id=ID] [score=S] [util:name=value ...]
 *   [name=value ...]` (permanent attributes); `state NODE name=value ...` attributes of its node_state; `attr NODE name=value ...` transient ones
 * - `option SET`, `defaults SET` (of resources), `op-defaults SET`; `permanent NODE SET`, `node-utilization NODE SET`: SET is
 *   `[id=ID] [score=S] name=value ... [rule RULE]`; see `scenario-rule.ts` for RULE
 * - `quorum no`, `now SECONDS|DATE`, `schema NAME`, `cib name=value ...` (attributes of the root)
 * - `fencer ID on NODE`: fencing is enabled, and that device has been started there
 * - `primitive ID [agent=class:provider:type] [template=T] [param:name=value] [util:name=value] [meta=value ...]`, `template ID ...` alike
 * - `meta RSC SET`, `params RSC SET`, `utilization RSC SET`: further sets
 * - `op RSC NAME INTERVAL [attribute=value ...]`, `op-meta RSC NAME INTERVAL SET`, `op-params RSC NAME INTERVAL SET`
 * - `group ID = MEMBER ... [meta=value ...]`, `clone ID = CHILD [meta=value ...]`, `bundle ID [= PRIMITIVE] [image=I] [replicas=N] [promoted-max=N]
 *   [replicas-per-host=N] [network attributes ...]`
 * - `location`, `colocation`, `order`, `ticket`: see `scenario-constraint.ts`; `tag T = ID ...`
 * - `recorded ID [agent=A] [container=RSC]`: how history knows it, if at all otherwise than the configuration; `lock RSC NODE SECONDS` (shutdown lock)
 * - `granted T`, `ticket-state T name=value ...`
 * - `history RSC started|stopped|promoted|unpromoted NODE ...`, with the recurring operations of the role
 * - `fail RSC TASK NODE [rc=N] [status=N] [count=N] [at=SECONDS] [expected=N]`, `pending RSC TASK NODE`, `entry RSC TASK NODE [attribute=value ...]`
 * - XML, also over several lines: constraints, resources and property sets go into their sections, a whole `<cib>` replaces everything;
 *   `in RESOURCE|NODE|SECTION <XML>` puts it there, `in state:NODE <XML>` into the node's state
 */
export function scenarioCib(text: string): { readonly cib: Cib; readonly now: number } {
  const { document, now } = scenarioDocument(text);
  return { cib: readCib(document), now };
}

/** The document that {@link scenarioCib} takes in. */
export function scenarioDocument(text: string): { readonly document: XmlElement; readonly now: number } {
  const draft = emptyDraft();
  for (const { line, number } of logicalLines(text)) {
    try {
      read(draft, line);
    } catch (error) {
      throw new Error(`line ${number}, "${line}": ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  return { document: cibDocument(draft), now: draft.now };
}

const states: Readonly<Record<string, Record<string, string>>> = {
  offline: { in_ccm: 'false', crmd: 'offline', join: 'down', expected: 'down' },
  unclean: { in_ccm: 'false', crmd: 'offline', join: 'down', expected: 'member' },
  pending: { in_ccm: 'true', crmd: 'online', join: 'pending', expected: 'member' },
};

function read(draft: ScenarioDraft, line: string): void {
  if (line.startsWith('<')) {
    for (const one of parsed(line) ?? []) placeXml(draft, one);
    return;
  }
  const [verb = '', ...words] = line.split(/\s+/);
  const { plain, pairs } = split(words);
  const [first = '', second = '', third = ''] = plain;
  switch (verb) {
    case 'nodes':
      for (const name of plain) configuredNode(draft, name);
      return;
    case 'node':
      describeNode(draft, plain, pairs);
      return;
    case 'state': {
      const node = nodeNamed(draft, first);
      node.state = changed(node.state ?? {}, pairs);
      return;
    }
    case 'attr':
      Object.assign(nodeNamed(draft, first).transient, pairs);
      return;
    case 'permanent':
    case 'node-utilization': {
      const { sets } = nodeNamed(draft, first);
      sets.push(nvpairSet(verb === 'permanent' ? 'instance_attributes' : 'utilization', `${first}-set-${sets.length}`, words.slice(1)));
      return;
    }
    case 'option':
      addSet(draft, draft.options, 'crm_config', 'cluster_property_set', words);
      return;
    case 'defaults':
      addSet(draft, draft.defaults, 'rsc_defaults', 'meta_attributes', words);
      return;
    case 'op-defaults':
      addSet(draft, draft.opDefaults, 'op_defaults', 'meta_attributes', words);
      return;
    case 'quorum':
      draft.root['have-quorum'] = first === 'no' ? '0' : '1';
      return;
    case 'schema':
      draft.root['validate-with'] = first;
      return;
    case 'cib':
      Object.assign(draft.root, pairs);
      return;
    case 'now':
      draft.now = /^\d+$/.test(first) ? Number(first) : (parseDateTime(first)?.epochSeconds ?? NaN);
      return;
    case 'fencer':
      draft.options['fencing-enabled'] = 'true';
      addResource(draft, 'primitive', [first], { agent: 'stonith:fence_demo' });
      addHistory(draft, first, 'started', third);
      return;
    case 'primitive':
    case 'template':
    case 'group':
    case 'clone':
    case 'bundle':
      addResource(draft, verb, plain, pairs);
      return;
    case 'lock':
      nodeNamed(draft, second).locks.set(first, third);
      return;
    case 'recorded':
      draft.recorded.set(first, {
        ...agentAttributes(pairs['agent'] ?? 'ocf:acme:Service'),
        ...(pairs['container'] === undefined ? {} : { container: pairs['container'] }),
      });
      return;
    case 'meta':
    case 'params':
    case 'utilization': {
      const { after } = existing(draft, first);
      const name = { meta: 'meta_attributes', params: 'instance_attributes', utilization: 'utilization' }[verb];
      after.push(nvpairSet(name, `${first}-${verb}-${after.length}`, words.slice(1)));
      return;
    }
    case 'op':
      existing(draft, first).ops.push({ attributes: { name: second, interval: third, ...pairs }, sets: [] });
      return;
    case 'op-meta':
    case 'op-params': {
      const op = existing(draft, first).ops.find(({ attributes: { name, interval } }) => name === second && interval === third);
      if (!op) throw new Error(`${first} has no operation ${second} ${third} yet`);
      op.sets.push(
        nvpairSet(verb === 'op-meta' ? 'meta_attributes' : 'instance_attributes', `${first}-${second}-${op.sets.length}`, words.slice(3)),
      );
      return;
    }
    case 'location':
    case 'colocation':
    case 'order':
    case 'ticket': {
      const count = draft.sections.get('constraints')?.length ?? 0;
      addTo(draft, 'constraints', constraintElement(`c${count + 1}`, verb, words));
      return;
    }
    case 'tag': {
      const members = plain.slice(1).map((id) => element('obj_ref', { id }));
      addTo(draft, 'tags', element('tag', { id: first }, members));
      return;
    }
    case 'granted':
      addTicket(draft, first, { granted: 'true', standby: 'false' });
      return;
    case 'ticket-state':
      addTicket(draft, first, pairs);
      return;
    case 'history':
      for (const name of plain.slice(2)) addHistory(draft, first, second, name);
      return;
    case 'fail':
      addFailure(draft, plain, pairs);
      return;
    case 'pending':
      addEntry(draft, first, second, third, { 'rc-code': '193', 'op-status': '-1', 'call-id': '-1', ...pairs });
      return;
    case 'entry':
      addEntry(draft, first, second, third, pairs);
      return;
    case 'in':
      putXml(draft, first, parsed(line.slice(line.indexOf('<'))) ?? []);
      return;
    default:
      throw new Error(`"${verb}" is no statement`);
  }
}

/** Plain values join the set that everyone shares; a set with an id, a score or a rule is one of its own. */
function addSet(draft: ScenarioDraft, shared: Record<string, string>, section: string, name: string, words: readonly string[]): void {
  const own = words.includes('rule') || words.some((word) => word.startsWith('id=') || word.startsWith('score='));
  if (!own) Object.assign(shared, split(words).pairs);
  else addTo(draft, section, nvpairSet(name, `${section}-${draft.sections.get(section)?.length ?? 0}`, words));
}

function addTicket(draft: ScenarioDraft, id: string, state: Record<string, string>): void {
  addTo(draft, 'tickets', element('ticket_state', { id, ...state }));
}

function describeNode(
  draft: ScenarioDraft,
  [name = '', ...flags]: readonly string[],
  { score, id, ...pairs }: Record<string, string>,
): void {
  const node = configuredNode(draft, name);
  for (const [key, value] of Object.entries(pairs)) {
    if (key.startsWith('util:')) node.utilization[key.slice(5)] = value;
    else node.permanent[key] = value;
  }
  if (score !== undefined) node.attributes['score'] = score;
  if (id !== undefined) node.attributes['id'] = id;
  for (const flag of flags) {
    if (flag === 'unseen') node.state = undefined;
    else if (flag === 'remote') {
      node.attributes['type'] = 'remote';
      node.state = undefined;
    } else if (flag === 'standby' || flag === 'maintenance') node.transient[flag] = 'true';
    else if (flag === 'shutdown') node.transient['shutdown'] = '1700000000';
    else if (states[flag]) node.state = states[flag];
    else throw new Error(`"${flag}" is no state of a node`);
  }
}
