import { element } from '@systole/cib';
import { describe, expect, it } from 'vitest';
import { CandidateTable, ProbeMode } from './candidates.js';
import { Following } from './following.js';
import { ResourceRecord } from './resource/record.js';
import { NODE_SCORE } from './score-trail.js';

function tableWith(following: Following): CandidateTable {
  const table = new CandidateTable(2);
  table.put(0, 1, ProbeMode.Always, NODE_SCORE);
  table.addFollowing(following);
  return table;
}

describe('what follows a resource', () => {
  it.each<[string, (table: CandidateTable) => void]>([
    [
      'a score is set',
      (table) => {
        table.setScore(0, 2, NODE_SCORE);
      },
    ],
    [
      'something is added',
      (table) => {
        table.addScore(0, 2, NODE_SCORE);
      },
    ],
    [
      'a score with parts is added',
      (table) => {
        table.addTraced(0, 2, undefined, NODE_SCORE);
      },
    ],
    [
      'a mark is put',
      (table) => {
        table.mark(0, 2);
      },
    ],
    [
      'a candidate comes',
      (table) => {
        table.put(1, 2, ProbeMode.Always, NODE_SCORE);
      },
    ],
    [
      'a candidate goes',
      (table) => {
        table.remove(0);
      },
    ],
    [
      'all scores are taken over',
      (table) => {
        table.takeScores(new CandidateTable(2));
      },
    ],
  ])('is forgotten when %s', (_, change) => {
    const following = new Following();
    change(tableWith(following));
    expect(following.valid).toBe(false);
  });

  it('is forgotten when another table takes the place of one', () => {
    const following = new Following();
    const resource = new ResourceRecord('p', 'p', 'primitive', element('primitive', { id: 'p' }), tableWith(following));
    resource.candidates = new CandidateTable(2);
    expect(following.valid).toBe(false);
  });

  it('is forgotten with what it is made of, and only with that', () => {
    const [first, second, third] = [new Following(), new Following(), new Following()];
    third.addUser(second);
    second.addUser(first);
    const table = tableWith(second);
    const copy = table.copy();
    copy.setScore(0, 2, NODE_SCORE);
    expect([first.valid, second.valid, third.valid]).toEqual([true, true, true]);
    table.setScore(0, 2, NODE_SCORE);
    expect([first.valid, second.valid, third.valid]).toEqual([false, false, true]);
  });
});
