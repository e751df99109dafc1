import { CLOCK_SKEW, type ClusterState } from '@systole/cluster';

/** A node whose clock differs from that of the database. */
export interface SkewedClock {
  readonly node: string;
  /** By how much it did when that was found, for people. */
  readonly detail: string;
}

/** Of the nodes that are there, as their polls have shown it. */
export function skewedClocks({ nodes }: ClusterState): readonly SkewedClock[] {
  return Object.values(nodes).flatMap(({ name, membership, troubles = [] }) => {
    const skew = membership === 'joined' || membership === 'lost' ? troubles.find(({ code }) => code === CLOCK_SKEW) : undefined;
    return skew === undefined ? [] : [{ node: name, detail: skew.detail }];
  });
}

/** Clocks that a text lists before it only counts. */
const NAMED = 3;

/** For people. */
export function skewedClocksText(skewed: readonly SkewedClock[]): string {
  const count = skewed.length > NAMED ? `${String(skewed.length)} of them, such as ` : '';
  const shown = skewed.slice(0, NAMED).map(({ node, detail }) => `${node}: ${detail}`);
  return `clocks of nodes are wrong: ${count}${shown.join('; ')}. Nothing is decided by them, but what runs there may go by them; set them (NTP)`;
}
