import type { components } from '@systole/api-client';
import { describe, expect, it } from 'vitest';
import { placeText, scoreText, sortedActions } from './explanation.js';

type Placement = components['schemas']['PlacementDto'];
type Action = components['schemas']['ActionExplanationDto'];

const placement = (given: Partial<Placement>): Placement => ({
  resource: 'db',
  within: [],
  role: 'Started',
  nextRole: 'Started',
  activeOn: ['n1'],
  failed: false,
  node: 'n1',
  rule: 'highest-score',
  text: '',
  candidates: [],
  ...given,
});

const action = (id: number, given: Partial<Action>): Action => ({
  id,
  name: 'start of db on n1',
  operation: 'start',
  resource: 'db',
  state: 'planned',
  because: [{ text: 'it is not running' }],
  ...given,
});

describe('an explanation on the page', () => {
  it('writes scores with their infinities', () => {
    expect([0, 100, -5, 1_000_000, -1_000_000].map(scoreText)).toEqual(['0', '100', '−5', 'INFINITY', '−INFINITY']);
  });

  it('says where a resource is, and where it goes only when that is elsewhere', () => {
    expect(placeText(placement({}))).toEqual({ now: 'Started on n1' });
    expect(placeText(placement({ node: 'n2' }))).toEqual({ now: 'Started on n1', next: 'Started on n2' });
    expect(placeText(placement({ activeOn: [], nextRole: 'Promoted' }))).toEqual({ now: 'Stopped', next: 'Promoted on n1' });
    expect(placeText(placement({ nextRole: 'Stopped' }))).toEqual({ now: 'Started on n1', next: 'Stopped' });
  });

  it('keeps apart what people ask about and what follows as a matter of course', () => {
    const fencing = action(2, { operation: 'stonith' });
    delete (fencing as { resource?: string }).resource;
    const actions = [
      action(1, {}),
      fencing,
      action(3, { operation: 'monitor' }),
      action(4, { operation: 'notify' }),
      action(5, { operation: 'running', resource: 'group' }),
      action(6, { state: 'blocked' }),
    ];
    const { main, rest } = sortedActions(actions, [placement({})]);
    expect(main.map(({ id }) => id)).toEqual([1, 2, 6]);
    expect(rest.map(({ id }) => id)).toEqual([3, 4, 5]);
  });
});
