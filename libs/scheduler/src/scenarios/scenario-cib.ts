import { type Cib, element, parameterDigest, readCib, timeoutMs, intervalMs, type XmlElement } from '@systole/cib';

/**
 * Builds a CIB from the upper half of a scenario file. Statements, one per line (`#` starts a comment):
 *
 * - `nodes n1 n2` online members; `node n3 offline|unclean|standby|maintenance|pending|shutdown|remote [score=S] [name=value ...]` (attributes)
 * - `option name=value ...`, `defaults name=value ...` (resources), `op-defaults name=value ...`, `quorum no`, `now SECONDS`
 * - `primitive ID [agent=class:provider:type] [template=T] [param:name=value] [util:name=value] [meta=value ...]`, `template ID ...` alike
 * - `op RSC NAME INTERVAL [attribute=value ...]`
 * - `group ID = MEMBER ... [meta=value ...]`, `clone ID = CHILD [meta=value ...]`, `bundle ID [= PRIMITIVE] [image=I] [replicas=N] [network attributes ...]`
 * - `location RSC prefers|avoids NODE [SCORE] [role=R] [discovery=D]`, `location RSC rule ATTRIBUTE OPERATION VALUE SCORE`
 * - `colocation A with B SCORE [rsc-role=R ...]`, `order A then B [kind=K ...]`, `ticket T RSC [loss-policy=P ...]`, `tag T = ID ...`
 * - `granted T`, `attr NODE name=value ...` (transient)
 * - `history RSC started|stopped|promoted|unpromoted NODE ...`, with the recurring operations of the role
 * - `fail RSC TASK NODE [rc=N] [status=N] [count=N] [at=SECONDS] [expected=N]`, `pending RSC TASK NODE`, `entry RSC TASK NODE [attribute=value ...]`
 */
export function scenarioCib(text: string): { readonly cib: Cib; readonly now: number } {
  const builder = new ScenarioBuilder();
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/#\s.*$/, '').trim();
    if (line === '') continue;
    try {
      builder.statement(line);
    } catch (error) {
      throw new Error(`line ${index + 1}, "${line}": ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  return { cib: readCib(builder.document()), now: builder.now };
}

interface ResourceDraft {
  name: string;
  attributes: Record<string, string>;
  params: Record<string, string>;
  utilization: Record<string, string>;
  meta: Record<string, string>;
  ops: Record<string, string>[];
  children: string[];
  extra: XmlElement[];
}

interface NodeDraft {
  id: string;
  attributes: Record<string, string>;
  state: Record<string, string> | undefined;
  permanent: Record<string, string>;
  transient: Record<string, string>;
  history: Map<string, Record<string, string>[]>;
}

const online = { in_ccm: 'true', crmd: 'online', join: 'member', expected: 'member' };

const states: Readonly<Record<string, Record<string, string> | undefined>> = {
  offline: { in_ccm: 'false', crmd: 'offline', join: 'down', expected: 'down' },
  unclean: { in_ccm: 'false', crmd: 'offline', join: 'down', expected: 'member' },
  pending: { in_ccm: 'true', crmd: 'online', join: 'pending', expected: 'member' },
};

/** Splits `name=value` words from the rest. */
function split(words: readonly string[]): { plain: string[]; pairs: Record<string, string> } {
  const plain: string[] = [];
  const pairs: Record<string, string> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    if (at > 0) pairs[word.slice(0, at)] = word.slice(at + 1);
    else if (word !== '=') plain.push(word);
  }
  return { plain, pairs };
}

function set(name: string, id: string, values: Readonly<Record<string, string>>): XmlElement[] {
  const entries = Object.entries(values);
  if (entries.length === 0) return [];
  return [
    element(
      name,
      { id },
      entries.map(([key, value]) => element('nvpair', { id: `${id}-${key}`, name: key, value })),
    ),
  ];
}

class ScenarioBuilder {
  now = 1_700_000_000;
  private quorum = true;
  private readonly options: Record<string, string> = { 'fencing-enabled': 'false' };
  private readonly defaults: Record<string, string> = {};
  private readonly opDefaults: Record<string, string> = {};
  private readonly nodes = new Map<string, NodeDraft>();
  private readonly resources = new Map<string, ResourceDraft>();
  private readonly constraints: XmlElement[] = [];
  private readonly tags: XmlElement[] = [];
  private readonly tickets: XmlElement[] = [];
  private calls = 0;

  statement(line: string): void {
    const [verb = '', ...words] = line.split(/\s+/);
    const { plain, pairs } = split(words);
    switch (verb) {
      case 'nodes':
        for (const name of plain) this.node(name);
        break;
      case 'node':
        this.describeNode(plain, pairs);
        break;
      case 'option':
        Object.assign(this.options, pairs);
        break;
      case 'defaults':
        Object.assign(this.defaults, pairs);
        break;
      case 'op-defaults':
        Object.assign(this.opDefaults, pairs);
        break;
      case 'quorum':
        this.quorum = plain[0] !== 'no';
        break;
      case 'now':
        this.now = Number(plain[0]);
        break;
      case 'primitive':
      case 'template':
      case 'group':
      case 'clone':
      case 'bundle':
        this.resource(verb, plain, pairs);
        break;
      case 'op':
        this.existing(plain[0]).ops.push({ name: plain[1] ?? '', interval: plain[2] ?? '0', ...pairs });
        break;
      case 'location':
      case 'colocation':
      case 'order':
      case 'ticket':
        this.constraint(verb, plain, pairs);
        break;
      case 'tag':
        this.tags.push(
          element(
            'tag',
            { id: plain[0] ?? '' },
            plain.slice(1).map((id) => element('obj_ref', { id })),
          ),
        );
        break;
      case 'granted':
        this.tickets.push(element('ticket_state', { id: plain[0] ?? '', granted: 'true', standby: 'false' }));
        break;
      case 'attr':
        Object.assign(this.node(plain[0] ?? '').transient, pairs);
        break;
      case 'history':
        for (const name of plain.slice(2)) this.history(plain[0] ?? '', plain[1] ?? '', name);
        break;
      case 'fail':
        this.failure(plain, pairs);
        break;
      case 'pending':
        this.entry(plain[0] ?? '', plain[1] ?? '', plain[2] ?? '', { 'rc-code': '193', 'op-status': '-1', 'call-id': '-1' });
        break;
      case 'entry':
        this.entry(plain[0] ?? '', plain[1] ?? '', plain[2] ?? '', pairs);
        break;
      default:
        throw new Error(`"${verb}" is no statement`);
    }
  }

  document(): XmlElement {
    const inGroups = new Set([...this.resources.values()].flatMap(({ children }) => children));
    const top = [...this.resources.keys()].filter((id) => !inGroups.has(id));
    return element('cib', { 'validate-with': 'none', 'have-quorum': this.quorum ? '1' : '0', 'dc-uuid': 'n1', crm_feature_set: '3.19.0' }, [
      element('configuration', {}, [
        element('crm_config', {}, set('cluster_property_set', 'options', this.options)),
        element(
          'nodes',
          {},
          [...this.nodes.values()].map((node) =>
            element('node', node.attributes, set('instance_attributes', `${node.id}-permanent`, node.permanent)),
          ),
        ),
        element(
          'resources',
          {},
          top.map((id) => this.resourceElement(id)),
        ),
        element('constraints', {}, this.constraints),
        element('rsc_defaults', {}, set('meta_attributes', 'rsc-defaults', this.defaults)),
        element('op_defaults', {}, set('meta_attributes', 'op-defaults', this.opDefaults)),
        element('tags', {}, this.tags),
      ]),
      element('status', {}, [
        ...(this.tickets.length > 0 ? [element('tickets', {}, this.tickets)] : []),
        ...[...this.nodes.values()].flatMap((node) => this.stateElement(node)),
      ]),
    ]);
  }

  private node(name: string): NodeDraft {
    let node = this.nodes.get(name);
    if (!node) {
      node = {
        id: name,
        attributes: { id: name, uname: name },
        state: { ...online },
        permanent: {},
        transient: {},
        history: new Map<string, Record<string, string>[]>(),
      };
      this.nodes.set(name, node);
    }
    return node;
  }

  private describeNode([name = '', ...flags]: readonly string[], { score, ...attributes }: Record<string, string>): void {
    const node = this.node(name);
    Object.assign(node.permanent, attributes);
    if (score !== undefined) node.attributes['score'] = score;
    for (const flag of flags) {
      if (flag === 'unseen') node.state = undefined;
      else if (flag === 'remote') Object.assign(node, { attributes: { ...node.attributes, type: 'remote' }, state: undefined });
      else if (flag === 'standby' || flag === 'maintenance') node.transient[flag] = 'true';
      else if (flag === 'shutdown') node.transient['shutdown'] = '1700000000';
      else if (states[flag]) node.state = states[flag];
      else throw new Error(`"${flag}" is no state of a node`);
    }
  }

  private resource(kind: string, [id = '', ...children]: readonly string[], pairs: Record<string, string>): void {
    const draft: ResourceDraft = { name: kind, attributes: { id }, params: {}, utilization: {}, meta: {}, ops: [], children, extra: [] };
    if (kind === 'primitive' || kind === 'template') {
      const { agent = 'ocf:acme:Service', template } = pairs;
      const parts = agent.split(':');
      if (template !== undefined) draft.attributes['template'] = template;
      else
        Object.assign(
          draft.attributes,
          parts.length === 3 ? { class: parts[0], provider: parts[1], type: parts[2] } : { class: parts[0], type: parts[1] },
        );
    }
    if (kind === 'bundle') {
      const { image = 'image', replicas, 'promoted-max': promotedMax, 'replicas-per-host': perHost, ...network } = pairs;
      const given = Object.entries({ image, replicas, 'promoted-max': promotedMax, 'replicas-per-host': perHost });
      draft.extra.push(element('podman', Object.fromEntries(given.filter((pair): pair is [string, string] => pair[1] !== undefined))));
      draft.extra.push(element('network', network));
    } else {
      for (const [key, value] of Object.entries(pairs)) {
        if (key === 'agent' || key === 'template') continue;
        if (key.startsWith('param:')) draft.params[key.slice(6)] = value;
        else if (key.startsWith('util:')) draft.utilization[key.slice(5)] = value;
        else draft.meta[key] = value;
      }
    }
    this.resources.set(id, draft);
  }

  private existing(id: string | undefined): ResourceDraft {
    const draft = this.resources.get(id ?? '');
    if (!draft) throw new Error(`there is no resource "${id ?? ''}" yet`);
    return draft;
  }

  private resourceElement(id: string): XmlElement {
    const draft = this.existing(id);
    const operations = draft.ops.map((op, index) => element('op', { id: `${id}-op-${index}`, ...op }));
    return element(draft.name, draft.attributes, [
      ...draft.extra,
      ...draft.children.map((child) => this.resourceElement(child)),
      ...set('meta_attributes', `${id}-meta`, draft.meta),
      ...set('instance_attributes', `${id}-params`, draft.params),
      ...set('utilization', `${id}-utilization`, draft.utilization),
      ...(operations.length > 0 ? [element('operations', {}, operations)] : []),
    ]);
  }

  private constraint(kind: string, words: readonly string[], pairs: Record<string, string>): void {
    const id = `c${this.constraints.length + 1}`;
    const [a = '', verb = '', b = '', ...rest] = words;
    const { discovery, ...more } = pairs;
    const attributes = { id, ...more, ...(discovery === undefined ? {} : { 'resource-discovery': discovery }) };
    if (kind === 'location' && verb === 'rule') {
      const [operation = '', value, score = '0'] = rest;
      const given = value === undefined || value === '-' ? {} : { value };
      const rule = element('rule', { id: `${id}-r`, score }, [element('expression', { id: `${id}-e`, attribute: b, operation, ...given })]);
      this.constraints.push(element('rsc_location', { ...attributes, rsc: a }, [rule]));
    } else if (kind === 'location') {
      this.constraints.push(
        element('rsc_location', { ...attributes, rsc: a, node: b, score: rest[0] ?? (verb === 'avoids' ? '-INFINITY' : 'INFINITY') }),
      );
    } else if (kind === 'colocation') {
      this.constraints.push(element('rsc_colocation', { ...attributes, rsc: a, 'with-rsc': b, score: rest[0] ?? 'INFINITY' }));
    } else if (kind === 'order') {
      this.constraints.push(element('rsc_order', { ...attributes, first: a, then: b }));
    } else {
      this.constraints.push(element('rsc_ticket', { ...attributes, ticket: a, rsc: verb }));
    }
  }

  /** Results that leave a resource in a role on a node, as an executor would have recorded them. */
  private history(id: string, role: string, node: string): void {
    const { ops } = this.existing(id);
    if (role === 'stopped') {
      this.entry(id, 'monitor', node, { 'rc-code': '7', expected: '7' });
      return;
    }
    this.entry(id, 'start', node, {});
    if (role === 'promoted') this.entry(id, 'promote', node, {});
    for (const op of ops) {
      const interval = op['interval'] ?? '0';
      const fits = role === 'promoted' ? op['role'] === 'Promoted' : op['role'] !== 'Promoted' && op['role'] !== 'Stopped';
      if (intervalMs(interval) === 0 || !fits) continue;
      const rc = role === 'promoted' ? { 'rc-code': '8', expected: '8' } : {};
      this.entry(id, op['name'] ?? '', node, { interval, ...rc });
    }
  }

  private failure([id = '', task = '', node = '']: readonly string[], pairs: Record<string, string>): void {
    const { rc = '1', status = '4', count, at, ...more } = pairs;
    const op = this.existing(id).ops.find(({ name, interval }) => name === task && intervalMs(interval) > 0);
    const interval = more['interval'] ?? (task === 'monitor' ? (op?.['interval'] ?? '0') : '0');
    const time = at ?? String(this.now - 10);
    this.entry(id, task, node, { ...more, interval, 'rc-code': rc, 'op-status': status, 'last-rc-change': time });
    if (count === undefined) return;
    const key = `${id}#${task}_${intervalMs(interval)}`;
    Object.assign(this.node(node).transient, { [`fail-count-${key}`]: count, [`last-failure-${key}`]: time });
  }

  private entry(id: string, task: string, nodeName: string, given: Record<string, string>): void {
    const draft = this.resources.get(id);
    const { interval = '0', expected = '0', ...more } = given;
    const ms = intervalMs(interval);
    const call = (this.calls += 1);
    const key = `${call}:1:${expected}:aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee`;
    const op = draft?.ops.find((candidate) => candidate['name'] === task && intervalMs(candidate['interval']) === ms);
    const hashed = new Map(Object.entries(draft?.params ?? {}));
    if (ms > 0) hashed.set('CRM_meta_timeout', String(timeoutMs(op?.['timeout'])));
    const rc = more['rc-code'] ?? '0';
    const status = more['op-status'] ?? '0';
    const failed = status !== '0' && status !== '-1';
    const entries = this.node(nodeName).history;
    const list = entries.get(id) ?? [];
    entries.set(id, list);
    list.push({
      id: failed ? `${id}_last_failure_0` : ms > 0 ? `${id}_${task}_${ms}` : `${id}_last_${call}`,
      operation_key: `${id}_${task}_${ms}`,
      operation: task,
      'call-id': String(call),
      'rc-code': rc,
      'op-status': status,
      interval: String(ms),
      on_node: nodeName,
      'last-rc-change': String(this.now - 1000 + call),
      'transition-key': key,
      'transition-magic': `${status}:${rc};${key}`,
      'op-digest': parameterDigest(hashed),
      crm_feature_set: '3.19.0',
      ...more,
    });
  }

  private stateElement(node: NodeDraft): XmlElement[] {
    if (!node.state && node.history.size === 0) return [];
    const resources = [...node.history].map(([id, entries]) => {
      const { class: standard = 'ocf', provider, type = 'Service' } = this.agentOf(id);
      const agent = { class: standard, ...(provider === undefined ? {} : { provider }), type };
      return element(
        'lrm_resource',
        { id, ...agent },
        entries.map((entry) => element('lrm_rsc_op', entry)),
      );
    });
    return [
      element('node_state', { id: node.id, uname: node.id, ...node.state }, [
        element('transient_attributes', { id: node.id }, set('instance_attributes', `${node.id}-transient`, node.transient)),
        element('lrm', { id: node.id }, [element('lrm_resources', {}, resources)]),
      ]),
    ];
  }

  private agentOf(id: string): Record<string, string | undefined> {
    const draft = this.resources.get(id);
    if (!draft) return { class: 'ocf', provider: 'acme', type: 'Service' };
    const template = draft.attributes['template'];
    return template === undefined ? draft.attributes : this.existing(template).attributes;
  }
}
