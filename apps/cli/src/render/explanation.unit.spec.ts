import type { components } from '@systole/api-client';
import { describe, expect, it } from 'vitest';
import { renderExplanation, type ExplanationDetail } from './explanation.js';
import { uncoloured } from './paint.js';

type Explanation = components['schemas']['ExplanationDto'];
type Placement = components['schemas']['PlacementDto'];
type Action = components['schemas']['ActionExplanationDto'];
type ScorePart = components['schemas']['ScorePartDto'];

const part = (amount: number, text: string): ScorePart => ({ cause: { kind: 'location' }, amount, text });

const database: Placement = {
  resource: 'database',
  within: [],
  role: 'Started',
  nextRole: 'Started',
  activeOn: ['alpha'],
  failed: false,
  node: 'alpha',
  rule: 'highest-score',
  text: 'alpha has the highest score, 300 (next is bravo with -10)',
  candidates: [
    { node: 'alpha', score: 300, parts: [part(200, 'location prefers-alpha'), part(100, 'stickiness: it runs there')] },
    { node: 'bravo', score: -10, parts: [part(-10, 'location not-bravo')] },
    { node: 'charlie', score: -1_000_000, unusable: 'standby', parts: [part(50, 'location likes'), part(-1_000_000, 'location ban')] },
  ],
};

const action = (given: Partial<Action>): Action => ({
  id: 1,
  name: 'start of web on bravo',
  operation: 'start',
  resource: 'web',
  node: 'bravo',
  state: 'planned',
  because: [{ text: 'it is not running' }],
  ...given,
});

const lines = (explanation: Explanation, detail: Partial<ExplanationDetail> = {}): readonly string[] =>
  renderExplanation(explanation, uncoloured, { scores: true, allActions: false, ...detail });

describe('renderExplanation', () => {
  it('shows a resource with its candidates and their scores as sums', () => {
    expect(lines({ placements: [database], actions: [] })).toEqual([
      'database  Started on alpha',
      '  alpha has the highest score, 300 (next is bravo with -10)',
      '',
      '    NODE               SCORE',
      '  → alpha                    300  =       200  location prefers-alpha',
      '                                  +       100  stickiness: it runs there',
      '    bravo                    -10  =       -10  location not-bravo',
      '    charlie (standby)  -INFINITY  =        50  location likes',
      '                                  + -INFINITY  location ban',
      '',
      'Actions',
      '  nothing to do',
    ]);
  });

  it('shows the chain of reasons below each action, and only counts what follows as a matter of course', () => {
    const web: Placement = {
      ...database,
      resource: 'web',
      within: ['site'],
      role: 'Stopped',
      activeOn: [],
      node: 'bravo',
      text: 'bravo has the highest score, 0',
    };
    const shown = lines(
      {
        placements: [web],
        actions: [
          action({ state: 'blocked', because: [{ text: 'waits for start of db (ordering o)' }, { text: 'target-role of db is Stopped' }] }),
          action({ id: 2, name: 'probe of web on alpha', operation: 'monitor' }),
          action({ id: 3, name: 'probe of web on bravo', operation: 'monitor' }),
          action({ id: 4, name: 'monitor of web every 10 s on bravo', operation: 'monitor' }),
          action({ id: 5, name: 'start of site', resource: 'site' }),
        ],
        moreActions: 7,
      },
      { scores: false },
    );
    expect(shown).toEqual([
      'Resources',
      '  site',
      '    web  Stopped → Started on bravo BLOCKED  bravo has the highest score, 0',
      '',
      'Actions',
      '  start of web on bravo  BLOCKED',
      '    └ waits for start of db (ordering o)',
      '      └ target-role of db is Stopped',
      '  and 2 probes, 1 recurring monitor, 1 step of a group, clone or bundle (--all shows them)',
      '  and 7 more that the server left out: name resources or a node',
    ]);
  });

  it('says that a node is no candidate, and what was left out', () => {
    expect(lines({ placements: [{ ...database, candidates: [] }], actions: [] }, { node: 'delta' })).toContain(
      '  delta is no candidate: nothing allows it there',
    );
    expect(lines({ placements: [{ ...database, moreCandidates: 37 }], actions: [] })).toContain('    and 37 more nodes');
  });

  it('shows how an instance stood when the promoted one was chosen', () => {
    const promotion = {
      instance: 'db:0',
      node: 'alpha',
      score: 15,
      text: 'db:0 has the highest',
      parts: [part(15, 'promotion score of db:0')],
    };
    const shown = lines({ placements: [{ ...database, candidates: [], promotion }], actions: [] });
    expect(shown.slice(2, 6)).toEqual(['', '  db:0 has the highest', '', '    promotion  15  = 15  promotion score of db:0']);
  });
});
