import { readFile } from 'node:fs/promises';
import { runProcess } from '../process/run-process.js';
import { parseUnitProperties } from '../systemd/unit-state.js';
import type { UnitUnderControl } from '../systemd/unit-operation.js';
import { baseEnvironment } from './environment.js';
import type { AgentHost } from './host.js';
import { readLsbHeader } from './lsb-header.js';
import { MetadataError, type AgentAction, type AgentMetadata } from './metadata.js';

/** How long what says nothing about itself is given for an action when nobody says anything else, ms: as long as systemd gives a unit. */
const TIMEOUT_MS = 100_000;
const ASKED_MS = 10_000;
const HEADER_BYTES = 64 * 1024;

const ACTIONS: readonly AgentAction[] = [
  ...['start', 'stop'].map((name) => ({ name, timeoutMs: TIMEOUT_MS, automatic: false, onTarget: false })),
  { name: 'monitor', timeoutMs: TIMEOUT_MS, intervalMs: 60_000, automatic: false, onTarget: false },
];

/** What a script says in its header; it takes no parameters. @throws {MetadataError} when it can't be read */
export async function lsbMetadata(path: string, type: string): Promise<AgentMetadata> {
  const script = await readFile(path, 'latin1').catch((error: unknown) => {
    throw new MetadataError(error instanceof Error ? error.message : String(error));
  });
  const header = readLsbHeader(script.slice(0, HEADER_BYTES));
  return metadataOf(type, header?.shortDescription, header?.description);
}

/** What systemd says of a unit. @throws {MetadataError} when there is none */
export async function unitMetadata({ access, unit }: UnitUnderControl, type: string, host: AgentHost): Promise<AgentMetadata> {
  const args = ['show', '--no-pager', '--property=LoadState,Description,Documentation', '--', unit];
  const { end, stdout, stderr } = await runProcess({
    file: access.systemctl,
    args,
    env: baseEnvironment(host.environment),
    timeoutMs: ASKED_MS,
  });
  if (end.kind !== 'exited' || end.code !== 0) throw new MetadataError(`systemd does not answer: ${stderr.trim().slice(0, 500)}`);
  const said = parseUnitProperties(stdout);
  if (said.get('LoadState') !== 'loaded') throw new MetadataError(`systemd does not load ${unit}: ${said.get('LoadState') ?? 'no answer'}`);
  return metadataOf(type, said.get('Description'), said.get('Documentation'));
}

function metadataOf(name: string, short: string | undefined, long: string | undefined): AgentMetadata {
  return {
    name,
    ...(short === undefined || short === '' ? {} : { shortDescription: short }),
    ...(long === undefined || long === '' ? {} : { longDescription: long }),
    parameters: [],
    actions: ACTIONS,
  };
}
