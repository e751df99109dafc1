import { beforeEach, describe, expect, it } from 'vitest';
import type { PortBench, PortsOfProcess } from './port-bench.js';

/** The newest of what agents have written. */
export function describeAgentWrites(bench: PortBench): void {
  describe('what agents write', () => {
    const { version, appendOf } = bench;
    let one: PortsOfProcess;
    let other: PortsOfProcess;
    let clusterId: string;
    beforeEach(() => {
      ({ one, other, clusterId } = bench.now());
    });

    const numbered = (number: number, incarnation = 1, node = 'n1') => ({ clusterId, node, incarnation, number });
    const appended = async (number: number): Promise<string> => {
      const append = appendOf(await version(), {
        within: async ({ writes }) => {
          if (!(await writes.begin(numbered(number)))) throw new Error('overtaken');
        },
      });
      return one.log.append(append).then(
        ({ type }) => type,
        (error: unknown) => (error instanceof Error ? error.message : ''),
      );
    };

    it('goes on with the same number, and with none that is lower', async () => {
      expect(await one.writes.begin(numbered(2))).toBe(true);
      expect(await other.writes.begin(numbered(2))).toBe(true);
      expect(await other.writes.begin(numbered(1))).toBe(false);
      expect(await one.writes.begin(numbered(3))).toBe(true);
      expect(await other.writes.begin(numbered(2))).toBe(false);
    });

    it('counts apart for each node, and anew in each life', async () => {
      await one.writes.begin(numbered(7));
      expect(await one.writes.begin(numbered(0, 1, 'n2'))).toBe(true);
      expect(await one.writes.begin(numbered(0, 2))).toBe(true);
      expect(await other.writes.begin(numbered(8, 1))).toBe(false);
      expect(await other.writes.begin(numbered(1, 2))).toBe(true);
    });

    it('is appended with its number, or not at all', async () => {
      expect(await appended(0)).toBe('appended');
      expect(await appended(0)).toBe('appended');
      await other.writes.begin(numbered(1));
      const before = await version();
      expect(await appended(0)).toBe('overtaken');
      expect(await version()).toBe(before);
      expect(await appended(4)).toBe('appended');
      expect(await other.writes.begin(numbered(3))).toBe(false);
    });

    it('takes its number back with what was not appended', async () => {
      const append = appendOf(await version(), {
        within: async ({ writes }) => {
          await writes.begin(numbered(5));
          throw new Error('undone');
        },
      });
      await expect(one.log.append(append)).rejects.toThrow('undone');
      expect(await other.writes.begin(numbered(1))).toBe(true);
    });

    it('is over, or appended before, when a higher number is put down', async () => {
      let reached = (): void => undefined;
      const underWay = new Promise<void>((resolve) => (reached = resolve));
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      const append = appendOf(await version(), {
        within: async ({ writes }) => {
          await writes.begin(numbered(0));
          reached();
          await gate;
        },
      });
      const before = await version();
      const appending = one.log.append(append);
      await underWay;
      const raised = other.writes.begin(numbered(1));
      release();
      expect(await raised).toBe(true);
      expect((await other.log.load(clusterId)).version).toBe(before + 1);
      expect(await appending).toMatchObject({ type: 'appended' });
    });
  });
}
