import { setTimeout as sleep } from 'node:timers/promises';
import { element, type XmlElement } from '@systole/cib';
import { cluster, primitive } from '../../scheduler/clusters.js';
import { median, seconds, table } from '../../scheduler/report.js';
import { resourceName } from '../cibs.js';
import type { MeasurementOptions } from '../measurement.js';
import { bareColdStart } from '../peers/bare-agents.js';
import { startPacemaker } from '../peers/pacemaker.js';
import { PEER_NODES, recover, runningOn, untilRunning, type Peer } from '../peers/peer.js';
import { startSystole } from '../peers/systole.js';

/** Seconds. */
interface Times {
  readonly cold: number;
  readonly recovery: number;
  readonly nodeLost: number;
}

const RESOURCES = 300;
const RECOVERIES = 20;
const WITHIN_MS = 600_000;
/** Monitors of the others, and what a node needs to be seen to be well; ms. */
const CALM_MS = 5_000;

/** Real nodes, real agents, ours and Pacemaker's in turn on this machine. */
export async function besidePacemaker({ rounds, lab }: MeasurementOptions): Promise<readonly string[]> {
  if (lab === undefined) throw new Error('give the program that starts nodes of Pacemaker: --lab FILE');
  const ours: Times[] = [];
  const theirs: Times[] = [];
  const bare: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    theirs.push(await measured(await startPacemaker(lab)));
    ours.push(await measured(await startSystole()));
    bare.push(await bareColdStart(PEER_NODES, RESOURCES));
    console.log(
      `beside Pacemaker, round ${round}: theirs ${JSON.stringify(theirs.at(-1))}, ours ${JSON.stringify(ours.at(-1))}, calls alone ${seconds(bare.at(-1) ?? 0)}`,
    );
  }
  const row = (what: string, value: (times: Times) => number): string[] => {
    const ratios = ours.map((times, round) => value(times) / value(theirs[round] ?? times));
    return [what, seconds(median(theirs.map(value))), seconds(median(ours.map(value))), median(ratios).toFixed(2)];
  };
  const rows = [
    row(`${RESOURCES} resources start cold, until all run`, ({ cold }) => cold),
    row('a resource is taken away, until it is back (monitor every second)', ({ recovery }) => recovery),
    row('a node’s power goes, until all run elsewhere', ({ nodeLost }) => nodeLost),
  ];
  const least = median(bare.map((time, round) => time / (theirs[round]?.cold ?? time)));
  rows.push([
    `the same calls of the resource agent, ${RESOURCES * (PEER_NODES.length + 1)}, and nothing else`,
    '–',
    seconds(median(bare)),
    least.toFixed(2),
  ]);
  return [table([`${PEER_NODES.length} nodes, real agents`, 'Pacemaker s', 'Systole s', 'ratio'], rows)];
}

async function measured(peer: Peer): Promise<Times> {
  try {
    await peer.configure(cibFor(peer));
    const cold = await untilRunning(peer, PEER_NODES, RESOURCES, WITHIN_MS);
    await sleep(CALM_MS);
    const recoveries: number[] = [];
    for (let turn = 0; turn < RECOVERIES; turn++) {
      recoveries.push(await recover(peer, WATCHED, WITHIN_MS));
      // At no special moment of its monitor's.
      await sleep(2_000 + Math.random() * 1_000);
    }
    const [lost = '', ...others] = PEER_NODES.toReversed();
    if ((await runningOn(peer, lost)).length === 0) throw new Error(`${peer.name}: nothing runs on ${lost}`);
    await peer.kill(lost);
    const nodeLost = await untilRunning(peer, others, RESOURCES, WITHIN_MS);
    return { cold, recovery: median(recoveries), nodeLost };
  } finally {
    await peer.stop();
  }
}

const WATCHED = resourceName(0);

function cibFor({ fenceDevice }: Peer): XmlElement {
  const resources = Array.from({ length: RESOURCES }, (_, index) => dummy(resourceName(index)));
  return cluster(PEER_NODES.length, { 'stonith-enabled': 'true' }, [fenceDevice, ...resources], []);
}

/** `ocf:heartbeat:Dummy`, which both have from Debian. */
function dummy(id: string): XmlElement {
  const resource = primitive(id);
  const often = element('operations', {}, [element('op', { id: `${id}-monitor`, name: 'monitor', interval: '1s' })]);
  return {
    ...resource,
    attributes: { ...resource.attributes, provider: 'heartbeat' },
    children: id === WATCHED ? [often] : resource.children,
  };
}
