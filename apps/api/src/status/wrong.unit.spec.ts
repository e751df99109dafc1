import { describe, expect, it } from 'vitest';
import type { ShownResource } from './held-starts.js';
import { countsOf } from './status-counts.js';
import type { NodeDto } from './status.dto.js';
import { withWrongs, wrongWithNode } from './wrong.js';

const node = (given: Partial<Omit<NodeDto, 'wrong'>> = {}): Omit<NodeDto, 'wrong'> => ({
  name: 'n1',
  id: '1',
  kind: 'cluster',
  membership: 'joined',
  online: true,
  unclean: false,
  standby: false,
  maintenance: false,
  pending: false,
  shutdown: false,
  ...given,
});

const primitive = (id: string, given: Partial<ShownResource> = {}): ShownResource => ({
  id,
  kind: 'primitive',
  agent: { class: 'ocf', provider: 'heartbeat', type: 'Dummy' },
  managed: true,
  failed: false,
  blocked: false,
  removed: false,
  role: 'Started',
  nextRole: 'Started',
  activeOn: ['n1'],
  children: [],
  ...given,
});

const DOWN = { role: 'Stopped', nextRole: 'Stopped', activeOn: [] } as const;
const holding = (
  kind: 'group' | 'clone' | 'bundle',
  children: readonly ShownResource[],
  given: Partial<ShownResource> = {},
): ShownResource => {
  const rest: { -readonly [key in keyof ShownResource]: ShownResource[key] } = { ...primitive(kind, { kind, children, ...given }) };
  delete rest.agent;
  return rest;
};

/** What is wrong in a tree, by id. */
const wrongs = (resource: ShownResource, keptStopped = false): Record<string, readonly string[]> => {
  const found: Record<string, readonly string[]> = {};
  const walk = ({ id, wrong, children }: ShownResource): void => {
    if (wrong !== undefined) found[id] = wrong;
    children.forEach(walk);
  };
  walk(withWrongs(resource, keptStopped));
  return found;
};

describe('a resource that runs degraded', () => {
  it('is wrong where it runs, also as an instance of a clone', () => {
    const clone = holding('clone', [primitive('web:0'), primitive('web:1', { activeOn: ['n2'] })]);
    const told = (resource: ShownResource) => withWrongs(resource, false, [{ resource: 'web', node: 'n2' }]);
    expect(told(clone).children.map(({ wrong }) => wrong)).toEqual([undefined, ['degraded']]);
    expect(told(primitive('other')).wrong).toBeUndefined();
  });
});

describe('wrongWithNode', () => {
  it('names everything that is not ordinary, the worst first', () => {
    expect(wrongWithNode(node())).toEqual([]);
    expect(wrongWithNode(node({ online: false, unclean: true, standby: true }))).toEqual(['unclean', 'offline', 'standby']);
    expect(wrongWithNode(node({ online: false, pending: true }))).toEqual(['pending']);
    expect(wrongWithNode(node({ maintenance: true, shutdown: true }))).toEqual(['maintenance', 'shutdown']);
  });

  it('asks the resource of a guest whether it should be there', () => {
    for (const kind of ['guest', 'bundle']) expect(wrongWithNode(node({ kind, online: false, shutdown: true }))).toEqual([]);
    expect(wrongWithNode(node({ kind: 'remote', online: false }))).toEqual(['offline']);
  });
});

describe('withWrongs', () => {
  it('names what is stopped though nobody wants that, and is not about to be started', () => {
    expect(wrongs(primitive('db', DOWN))).toEqual({ db: ['stopped'] });
    expect(wrongs(primitive('db', { ...DOWN, disabled: true }))).toEqual({});
    expect(wrongs(primitive('db', DOWN), true)).toEqual({});
    expect(wrongs(primitive('db', { ...DOWN, nextRole: 'Started', assignedTo: 'n1' }))).toEqual({});
    expect(wrongs(primitive('db', { ...DOWN, nextRole: 'Started', assignedTo: 'n1', held: 'it may still run on n2' }))).toEqual({
      db: ['held'],
    });
    expect(wrongs(primitive('db', { ...DOWN, role: 'Unknown', nextRole: 'Unknown', unknownOn: ['n2'] }))).toEqual({ db: ['unknown'] });
    expect(wrongs(holding('group', [primitive('a'), primitive('b', DOWN)]))).toEqual({ b: ['stopped'] });
  });

  it('takes a clone for down only as a whole: it may have more instances than there are nodes', () => {
    expect(wrongs(holding('clone', [primitive('a:0'), primitive('a:1', DOWN)]))).toEqual({});
    expect(wrongs(holding('clone', [primitive('a:0', DOWN), primitive('a:1', DOWN)]))).toEqual({ clone: ['stopped'] });
    const group = holding('group', [primitive('a:0', DOWN)]);
    expect(wrongs(holding('clone', [group]))).toEqual({ clone: ['stopped'] });
  });

  it('takes a bundle for down when a replica is', () => {
    const replica = (number: number, role: string) => ({ number, role, activeOn: [], failed: false, parts: { container: `c${number}` } });
    const parts = [primitive('c0'), primitive('c1', DOWN)];
    expect(wrongs(holding('bundle', parts, { replicas: [replica(0, 'Started'), replica(1, 'Stopped')] }))).toEqual({ bundle: ['stopped'] });
    expect(wrongs(holding('bundle', parts, { replicas: [replica(0, 'Started')] }))).toEqual({});
  });

  it('names failures where they are', () => {
    const ill = primitive('ill', { failed: true, blocked: true, managed: false, activeOn: ['n1', 'n2'] });
    expect(wrongs(holding('group', [ill, primitive('well')], { failed: true, managed: false }))).toEqual({
      ill: ['failed', 'blocked', 'multiply-active', 'unmanaged'],
    });
    expect(wrongs(primitive('old', { removed: true }))).toEqual({ old: ['no-longer-configured'] });
  });
});

describe('countsOf', () => {
  it('counts each node once, in its worst state, and each instance of what runs', () => {
    const nodes = [
      node(),
      node({ unclean: true, online: false }),
      node({ standby: true, maintenance: true }),
      node({ kind: 'bundle', online: false }),
    ];
    const shown = nodes.map((one) => {
      const wrong = wrongWithNode(one);
      return wrong.length === 0 ? one : { ...one, wrong };
    });
    const clone = holding('clone', [primitive('a:0', { role: 'Promoted' }), primitive('a:1', { ...DOWN, disabled: true })]);
    const counts = countsOf(shown, [clone, primitive('x', { failed: true }), primitive('gone', { ...DOWN, removed: true })]);
    expect(counts.nodes).toEqual({ total: 3, online: 1, unclean: 1, pending: 0, offline: 0, standby: 1, maintenance: 0, shutdown: 0 });
    expect(counts.resources).toMatchObject({ total: 3, started: 2, stopped: 1, promoted: 1, disabled: 1, failed: 1, unknown: 0 });
  });
});
