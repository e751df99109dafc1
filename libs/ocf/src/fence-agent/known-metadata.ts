import { stat } from 'node:fs/promises';
import type { AgentHost } from '../resource-agent/host.js';
import type { AgentMetadata } from '../resource-agent/metadata.js';

interface Known {
  /** Of the program's file. */
  readonly stamp: string;
  readonly metadata: Promise<AgentMetadata | undefined>;
}

/** By the directories of a host, which stay the same object for as long as it runs. */
const knownOf = new WeakMap<AgentHost['directories'], Map<string, Known>>();

/**
 * What a program says about itself, asked once: fencing must not wait for it twice. A program that was replaced is asked again, and so is one that could not
 * be read: what kept it from answering once may be over.
 *
 * @param read asks the program
 * @returns undefined when it can't be read
 */
export async function knownMetadata(path: string, host: AgentHost, read: () => Promise<AgentMetadata>): Promise<AgentMetadata | undefined> {
  const stamp = await stampOf(path);
  const ofHost = knownOf.get(host.directories) ?? new Map<string, Known>();
  knownOf.set(host.directories, ofHost);
  const before = ofHost.get(path);
  if (before?.stamp === stamp) return before.metadata;
  const asked: Known = { stamp, metadata: read().catch(() => undefined) };
  ofHost.set(path, asked);
  const metadata = await asked.metadata;
  if (metadata === undefined && ofHost.get(path) === asked) ofHost.delete(path);
  return metadata;
}

async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    return [ino, size, mtimeMs, ctimeMs].join(' ');
  } catch {
    return 'absent';
  }
}
