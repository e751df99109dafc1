import { beforeEach, describe, expect, it } from 'vitest';
import type { PortBench, PortsOfProcess, PortsUnderTest } from './port-bench.js';

/** Seals of what an agent was shown. */
export function describeSeals(bench: PortBench): void {
  describe('seals', () => {
    let under: PortsUnderTest;
    let one: PortsOfProcess;
    let other: PortsOfProcess;
    let clusterId: string;
    beforeEach(() => {
      ({ under, one, other, clusterId } = bench.now());
    });

    const head = { epoch: 'e', version: 7, hash: 'abc' };

    it('are right for what any process of this database sealed, for that cluster', async () => {
      const shown = one.seals.sealed(clusterId, head);
      expect(shown).toMatchObject(head);
      expect([one, other].map(({ seals }) => seals.judge(clusterId, shown))).toEqual(['right', 'right']);
      expect((await under.open()).seals.judge(clusterId, shown)).toBe('right');
    });

    it('are wrong on anything else', () => {
      const { seal } = one.seals.sealed(clusterId, head);
      if (seal === undefined) throw new Error('a seal is missing');
      const shown = { ...head, seal };
      const made = [
        { ...shown, version: 8 },
        { ...shown, epoch: 'f' },
        { ...shown, hash: 'abd' },
        { ...shown, epoch: 'e","7', version: 7 },
        { ...shown, seal: `${seal}0` },
        { ...shown, seal: seal.slice(0, -2) },
        { ...shown, seal: `${seal.split('.')[0] ?? ''}.` },
      ];
      expect(made.map((each) => one.seals.judge(clusterId, each))).toEqual(Array(made.length).fill('wrong'));
      expect(one.seals.judge('another', shown)).toBe('wrong');
    });

    it('say nothing where there is none, or one by another key', () => {
      const { seal = '' } = one.seals.sealed(clusterId, head);
      const others = [head, ...['', '.', 'x', 'x.y', `x${seal}`].map((other) => ({ ...head, seal: other }))];
      expect(others.map((each) => one.seals.judge(clusterId, each))).toEqual(Array(others.length).fill('unknown'));
    });
  });
}
