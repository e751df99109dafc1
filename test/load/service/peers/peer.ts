import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { XmlElement } from '@systole/cib';

/** A real cluster of three nodes on this machine, with real resource agents, which keep a file for each resource that runs. */
export interface Peer {
  readonly name: string;
  /** Takes the configuration: a whole CIB. @returns once it is accepted */
  configure(cib: XmlElement): Promise<void>;
  /** Directory of a node in which `ocf:heartbeat:Dummy` keeps its files. */
  stateDirectory(node: string): string;
  /** A fence device, in its words. */
  readonly fenceDevice: XmlElement;
  /** The power of a node goes. */
  kill(node: string): Promise<void>;
  stop(): Promise<void>;
}

export const PEER_NODES = ['node1', 'node2', 'node3'] as const;

const LOOK_MS = 5;

/** The file by which a resource shows that it runs on a node. */
export const stateFile = (peer: Peer, node: string, resource: string): string => join(peer.stateDirectory(node), `Dummy-${resource}.state`);

/** Resources that run on a node. */
export async function runningOn(peer: Peer, node: string): Promise<readonly string[]> {
  const files = await readdir(peer.stateDirectory(node)).catch(() => []);
  return files.flatMap((file) => /^Dummy-(.+)\.state$/.exec(file)?.[1] ?? []);
}

/** Waits until so many run on these nodes. @returns how long that took, s @throws {Error} when it takes too long */
export async function untilRunning(peer: Peer, nodes: readonly string[], count: number, withinMs: number): Promise<number> {
  const begin = performance.now();
  for (;;) {
    const running = new Set((await Promise.all(nodes.map((node) => runningOn(peer, node)))).flat());
    const seconds = (performance.now() - begin) / 1_000;
    if (running.size >= count) return seconds;
    if (seconds * 1_000 > withinMs) throw new Error(`${peer.name}: ${running.size} of ${count} resources run after ${withinMs} ms`);
    await sleep(LOOK_MS);
  }
}

/** Takes a resource away where it runs, and waits until it is back anywhere. @returns how long that took, s */
export async function recover(peer: Peer, resource: string, withinMs: number): Promise<number> {
  for (const node of PEER_NODES) {
    if (!(await runningOn(peer, node)).includes(resource)) continue;
    await rm(stateFile(peer, node, resource));
    const begin = performance.now();
    for (;;) {
      const running = (await Promise.all(PEER_NODES.map((one) => runningOn(peer, one)))).flat();
      const ms = performance.now() - begin;
      if (running.includes(resource)) return ms / 1_000;
      if (ms > withinMs) throw new Error(`${peer.name}: ${resource} is not back after ${withinMs} ms`);
      await sleep(LOOK_MS);
    }
  }
  throw new Error(`${peer.name}: ${resource} runs nowhere`);
}
