import { describe, expect, it } from 'vitest';
import { EPOCH, execute, option, threeNodes } from '../testing/stream.js';
import { countQuorum } from './quorum.js';

describe('quorum', () => {
  it('is more than half of the configured nodes', () => {
    const state = threeNodes();
    expect(countQuorum(state, ['n1', 'n2'], EPOCH)).toEqual({ quorate: true, votes: 2, expectedVotes: 3 });
    expect(countQuorum(state, ['n1'], EPOCH)).toEqual({ quorate: false, votes: 1, expectedVotes: 3 });
  });

  it('is not half of them: the other half may say the same', () => {
    const state = threeNodes({ options: option('systole-expected-votes', '4') });
    expect(countQuorum(state, ['n1', 'n2'], EPOCH).quorate).toBe(false);
    expect(countQuorum(state, ['n1', 'n2', 'n3'], EPOCH).quorate).toBe(true);
  });

  it('counts nobody who is not joined, and nobody who is not configured', () => {
    const state = execute(threeNodes(), { type: 'lose-lease', node: 'n2', incarnation: 1, expiredAt: 'x' });
    expect(countQuorum(state, ['n1', 'n2', 'stranger'], EPOCH).votes).toBe(1);
  });

  it('counts of nodes of which nobody can tell as many as the log does: two workers do not take turns in granting it', () => {
    const counted = (votes: number) => execute(threeNodes(), { type: 'change-quorum', quorate: votes > 1, votes, expectedVotes: 3 });
    const doubtful = ['n2', 'n3'];
    expect(countQuorum(counted(1), ['n1'], EPOCH, doubtful)).toEqual({ quorate: false, votes: 1, expectedVotes: 3 });
    expect(countQuorum(counted(2), ['n1'], EPOCH, doubtful)).toEqual({ quorate: true, votes: 2, expectedVotes: 3 });
    expect(countQuorum(counted(3), ['n1'], EPOCH, ['n2']).votes).toBe(2);
    expect(countQuorum(counted(1), ['n1', 'n2'], EPOCH, ['n3']).votes).toBe(2);
    expect(countQuorum(threeNodes(), ['n1'], EPOCH, doubtful).votes).toBe(3);
  });

  it('may expect a fixed number', () => {
    expect(countQuorum(threeNodes({ options: option('systole-expected-votes', '5') }), ['n1', 'n2', 'n3'], EPOCH)).toEqual({
      quorate: true,
      votes: 3,
      expectedVotes: 5,
    });
  });

  it('of two nodes is one, once both have been seen', () => {
    const options = option('systole-expected-votes', '2') + option('systole-two-node', 'true');
    const fresh = threeNodes({ options });
    expect(countQuorum(fresh, ['n1'], EPOCH).quorate).toBe(false);
    const both = countQuorum(fresh, ['n1', 'n2'], EPOCH);
    expect(both.quorate).toBe(true);
    expect(countQuorum(execute(fresh, { type: 'change-quorum', ...both }), ['n1'], EPOCH).quorate).toBe(true);
  });

  it('of more than two nodes is more than half of them, though one of two would do', () => {
    const state = threeNodes({ options: option('systole-two-node', 'true') + option('systole-wait-for-all', 'false') });
    expect(countQuorum(state, ['n1'], EPOCH).quorate).toBe(false);
    expect(countQuorum(state, ['n1', 'n2'], EPOCH).quorate).toBe(true);
  });

  it('of two nodes is none without any', () => {
    const options = option('systole-expected-votes', '2') + option('systole-two-node', 'true') + option('systole-wait-for-all', 'false');
    expect(countQuorum(threeNodes({ options }), [], EPOCH).quorate).toBe(false);
    expect(countQuorum(threeNodes({ options }), ['n1'], EPOCH).quorate).toBe(true);
  });

  it('with wait-for-all is first granted to a full house', () => {
    const state = threeNodes({ options: option('systole-wait-for-all', 'true') });
    expect(countQuorum(state, ['n1', 'n2'], EPOCH).quorate).toBe(false);
    expect(countQuorum(state, ['n1', 'n2', 'n3'], EPOCH).quorate).toBe(true);
  });

  it('that is lost after it was had is remembered for the policy', () => {
    const had = execute(threeNodes(), { type: 'change-quorum', quorate: true, votes: 2, expectedVotes: 3 });
    const lost = execute(had, { type: 'change-quorum', quorate: false, votes: 1, expectedVotes: 3 });
    expect(lost.cib.attributes).toMatchObject({ 'have-quorum': '0', 'no-quorum-panic': '1' });
    const again = execute(lost, { type: 'change-quorum', quorate: true, votes: 2, expectedVotes: 3 });
    expect(again.cib.attributes['no-quorum-panic']).toBeUndefined();
  });
});
