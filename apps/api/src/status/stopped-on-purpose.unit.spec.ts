import { parseXml } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { downTroubles } from './down-troubles.js';
import type { ShownResource } from './held-starts.js';
import { withStoppedOnPurpose } from './stopped-on-purpose.js';
import { withWrongs } from './wrong.js';

const primitive = (id: string, given: Partial<ShownResource> = {}): ShownResource => ({
  id,
  kind: 'primitive',
  agent: { class: 'ocf', provider: 'heartbeat', type: 'Dummy' },
  managed: true,
  failed: false,
  blocked: false,
  removed: false,
  role: 'Stopped',
  nextRole: 'Stopped',
  activeOn: [],
  children: [],
  ...given,
});
const running = (id: string, role = 'Started'): ShownResource => primitive(id, { role, nextRole: role, activeOn: ['n1'] });
const holding = (kind: 'group' | 'clone', id: string, children: readonly ShownResource[]): ShownResource => ({
  ...primitive(id, { kind, children }),
  role: 'Stopped',
});

const TICKET = '<rsc_ticket id="t" ticket="site-a" rsc="db"/>';
const cib = (constraints: string, tickets = '') =>
  parseXml(
    `<cib><configuration><constraints>${constraints}</constraints></configuration><status><tickets>${tickets}</tickets></status></cib>`,
  );

/** What each waits for, and what is wrong with it, by id. */
const shown = (resources: readonly ShownResource[], constraints: string, tickets = ''): Record<string, string> => {
  const found: Record<string, string> = {};
  const walk = ({ id, waitsFor, wrong, children }: ShownResource): void => {
    if (waitsFor !== undefined) found[id] = waitsFor;
    if (wrong !== undefined) found[id] = [...(waitsFor === undefined ? [] : [waitsFor]), ...wrong].join('; ');
    children.forEach(walk);
  };
  withStoppedOnPurpose(resources, cib(constraints, tickets)).forEach((one) => {
    walk(withWrongs(one, false));
  });
  return found;
};

describe('what waits because somebody wants it so', () => {
  it('is what needs a ticket that this cluster does not have, or has in standby', () => {
    expect(shown([primitive('db'), primitive('web')], TICKET)).toEqual({ db: 'ticket site-a', web: 'stopped' });
    expect(shown([primitive('db')], TICKET, '<ticket_state id="site-a" granted="true" standby="true"/>')).toEqual({ db: 'ticket site-a' });
    expect(shown([primitive('db')], TICKET, '<ticket_state id="site-a" granted="true"/>')).toEqual({ db: 'stopped' });
    expect(shown([running('db')], TICKET)).toEqual({});
    const set = '<rsc_ticket id="t" ticket="x"><resource_set id="s"><resource_ref id="db"/></resource_set></rsc_ticket>';
    expect(shown([primitive('db')], set)).toEqual({ db: 'ticket x' });
  });

  it('is not what could run unpromoted without it', () => {
    const promoted = TICKET.replace('/>', ' rsc-role="Promoted"/>');
    const clone = holding('clone', 'db', [primitive('st:0'), primitive('st:1')]);
    expect(shown([clone], promoted)).toEqual({ db: 'stopped' });
    expect(shown([clone], promoted.replace('/>', ' loss-policy="stop"/>'))).toMatchObject({ db: 'ticket site-a' });
    const ip = '<rsc_colocation id="c" rsc="ip" with-rsc="db" with-rsc-role="Promoted" score="INFINITY"/>';
    const unpromoted = holding('clone', 'db', [running('st:0', 'Unpromoted'), running('st:1', 'Unpromoted')]);
    expect(shown([unpromoted, primitive('ip')], promoted + ip)).toEqual({ ip: 'ticket site-a' });
  });

  it('is also what is in it, behind it in a group, and what must be with it or after it, over any number of steps', () => {
    const group = holding('group', 'g', [running('fs'), primitive('db'), primitive('ip')]);
    const chain =
      '<rsc_colocation id="c" rsc="web" with-rsc="g" score="INFINITY"/><rsc_order id="o" first="web" then="mail"/><rsc_order id="p" first="mail" then="nice" kind="Optional"/>';
    expect(shown([group, primitive('web'), primitive('mail'), primitive('nice')], TICKET + chain)).toEqual({
      db: 'ticket site-a',
      ip: 'ticket site-a',
      web: 'ticket site-a',
      mail: 'ticket site-a',
      nice: 'stopped',
    });
    const clone = holding('clone', 'db', [primitive('a:0'), primitive('a:1')]);
    expect(shown([clone], TICKET)).toEqual({ db: 'ticket site-a', 'a:0': 'ticket site-a', 'a:1': 'ticket site-a' });
  });

  it('is what needs one that is disabled', () => {
    const group = holding('group', 'g', [primitive('fs', { disabled: true }), primitive('ip')]);
    const web = '<rsc_colocation id="c" rsc="web" with-rsc="g" score="INFINITY"/>';
    expect(shown([group, primitive('web'), primitive('other')], web)).toEqual({
      g: 'fs, which is disabled',
      ip: 'fs, which is disabled',
      web: 'fs, which is disabled',
      other: 'stopped',
    });
  });
});

describe('downTroubles', () => {
  const troubles = (resources: readonly ShownResource[]) => downTroubles(resources.map((one) => withWrongs(one, false)));

  it('tells of services that are down, the first by name', () => {
    expect(troubles([running('a'), primitive('b', { disabled: true })])).toEqual([]);
    expect(troubles([primitive('a')])).toEqual([{ code: 'resources-down', level: 'bad', text: '1 resource should run, and does not: a' }]);
    const clone = holding('clone', 'c', [primitive('c:0'), primitive('c:1')]);
    expect(troubles([holding('group', 'g', [primitive('a'), primitive('b')]), clone, primitive('d'), primitive('e')])).toEqual([
      { code: 'resources-down', level: 'bad', text: '5 resources should run, and do not: a, b, c, 2 more' },
    ]);
  });

  it('does not tell of what is about to start, or was left alone; and of a fence device less loudly', () => {
    expect(troubles([primitive('a', { nextRole: 'Started', assignedTo: 'n1' }), primitive('b', { managed: false })])).toEqual([]);
    expect(troubles([primitive('f', { agent: { class: 'stonith', type: 'fence_x' } })])).toEqual([
      { code: 'devices-down', level: 'warn', text: '1 fence device should run, and does not: f' },
    ]);
  });
});
