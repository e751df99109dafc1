import type { DescribedParameter } from '@systole/protocol';
import { describe, expect, it } from 'vitest';
import type { ToldAgents } from './agent-catalog.js';
import { CatalogTraits, traitsIn } from './catalog-traits.js';

const AGENT = { class: 'ocf', provider: 'x', type: 'Db' };
const parameter = (name: string, more: Partial<DescribedParameter> = {}): DescribedParameter => ({
  ...{ name, required: false, reloadable: false, deprecated: false, type: 'string', options: [] },
  ...more,
});
const told = (
  versions: ToldAgents['agents'][number]['versions'],
  operations: ToldAgents['agents'][number]['operations'] = versions.map(() => ['start', 'reload-agent']),
): ToldAgents => ({ classes: ['ocf'], agents: [{ agent: AGENT, versions, operations }] });

describe('what is known of the parameters of an agent', () => {
  it('is which of them ask for a restart, and which are private', () => {
    const known = traitsIn(told([[parameter('dir'), parameter('level', { reloadable: true }), parameter('password', { private: true })]]));
    expect(known(AGENT)).toEqual({ restart: ['dir', 'password'], secret: ['password'] });
    expect(known({ class: 'ocf', provider: 'y', type: 'Db' })).toBeUndefined();
  });

  it('is what holds for all versions that nodes have', () => {
    const known = traitsIn(told([[parameter('level', { reloadable: true })], [parameter('level')]]));
    expect(known(AGENT)).toEqual({ restart: ['level'], secret: [] });
    expect(traitsIn(told([[parameter('level', { reloadable: true })], undefined]))(AGENT)).toBeUndefined();
  });

  it('is no reload of an agent that has no such operation, in any version', () => {
    const level = [parameter('level', { reloadable: true })];
    expect(traitsIn(told([level], [['start', 'reload']]))(AGENT)).toEqual({ secret: [] });
    expect(traitsIn(told([level, level], [['reload-agent'], undefined]))(AGENT)).toEqual({ secret: [] });
  });

  it('is nothing where it cannot be read, which is said', async () => {
    const said: string[] = [];
    const broken = new CatalogTraits({ told: () => Promise.reject(new Error('gone')) }, { warn: (_, text) => void said.push(text) });
    expect((await broken.of('c'))(AGENT)).toBeUndefined();
    expect(said).toEqual(["what nodes have told of their agents can't be read: changes of parameters will restart"]);
  });
});
