import { readdir } from 'node:fs/promises';
import { findAgent, listOcfAgents, type AgentDirectories, type FoundAgent } from './lookup.js';
import type { AgentResource } from './resource.js';

/** An agent of this machine, and where its program is. */
export interface InstalledAgentProgram extends Omit<AgentResource, 'id'> {
  readonly path: string;
}

/** Standards whose agents {@link installedAgents} names all of: units of systemd are made in too many ways. */
export const LISTED_CLASSES = ['ocf', 'stonith', 'lsb'] as const;

/** Only what is called so is listed as a fence agent: other programs lie beside them. */
const FENCE_AGENT = /^fence_/;

/** The agents of this machine that have programs of their own, as {@link findAgent} finds them; sorted by standard and name. */
export async function installedAgents(directories: AgentDirectories): Promise<readonly InstalledAgentProgram[]> {
  const fence = await Promise.all(directories.fence.map(namesIn));
  const named: readonly Omit<AgentResource, 'id'>[] = [
    ...(await listOcfAgents(directories)).flatMap(ocfAgent),
    ...sorted(fence.flat().filter((name) => FENCE_AGENT.test(name))).map((type) => ({ class: 'stonith', type })),
    ...sorted(await namesIn(directories.lsb)).map((type) => ({ class: 'lsb', type })),
  ];
  const programs: InstalledAgentProgram[] = [];
  for (const agent of named) {
    const path = pathOf(await findAgent({ id: agent.type, ...agent }, directories));
    if (path !== undefined) programs.push({ ...agent, path });
  }
  return programs;
}

/** @param name as `listOcfAgents` writes it */
function ocfAgent(name: string): readonly Omit<AgentResource, 'id'>[] {
  const [standard, provider, ...type] = name.split(':');
  return standard === undefined || provider === undefined ? [] : [{ class: standard, provider, type: type.join(':') }];
}

function pathOf(found: FoundAgent): string | undefined {
  return 'path' in found ? found.path : undefined;
}

async function namesIn(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => []);
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
