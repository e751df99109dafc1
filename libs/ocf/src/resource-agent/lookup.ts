import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemdAccess } from '../systemd/access.js';
import { unitName } from '../systemd/unit-name.js';
import type { UnitUnderControl } from '../systemd/unit-operation.js';
import type { AgentResource } from './resource.js';

/** Where agents are installed on this machine. */
export interface AgentDirectories {
  /** OCF roots in order of search; the first is the system's (`/usr/lib/ocf`). Agents lie in `<root>/resource.d/<provider>/<type>`. */
  readonly ocfRoots: readonly string[];
  /** LSB init scripts, normally `/etc/init.d`. */
  readonly lsb: string;
  /** Fence agents, normally `/usr/sbin`; in order of search. */
  readonly fence: readonly string[];
  /** systemd, when this machine runs it. */
  readonly systemd?: SystemdAccess;
}

export const SYSTEM_AGENT_DIRECTORIES: AgentDirectories = {
  ocfRoots: ['/usr/lib/ocf'],
  lsb: '/etc/init.d',
  fence: ['/usr/sbin'],
};

/** What was found for a resource's class, provider and type. */
export type FoundAgent =
  | { readonly kind: 'ocf'; readonly path: string; readonly ocfRoot: string }
  | { readonly kind: 'lsb'; readonly path: string }
  | ({ readonly kind: 'systemd' } & UnitUnderControl)
  | { readonly kind: 'stonith'; readonly path: string }
  /** `reason` is a sentence for the operator. */
  | { readonly kind: 'missing'; readonly reason: string }
  /** The system could not say whether there is one: `code` is its error code, e.g. EIO, EMFILE or ESTALE. */
  | { readonly kind: 'unknown'; readonly code: string; readonly message: string };

/** What there is at a path. */
type Entry = { readonly kind: 'program' } | { readonly kind: 'none' } | Extract<FoundAgent, { readonly kind: 'unknown' }>;

/** Names come from the configuration and become paths: nothing that leaves the directory, nothing that a shell could see differently. */
const SAFE_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.+@:-]*$/;

const HAS_OWN_NAMES = new Set(['lsb', 'systemd', 'service']);

/** Finds the program for a resource. `service` is an init script if there is one, else a systemd unit. */
export async function findAgent(resource: AgentResource, directories: AgentDirectories): Promise<FoundAgent> {
  const { type } = resource;
  const standard = resource.class.toLowerCase();
  // Units have names of their own rules, and init scripts may be named by their path.
  if (!SAFE_NAME.test(type) && !HAS_OWN_NAMES.has(standard)) return missing(`'${type}' is not a valid agent name`);
  switch (standard) {
    case 'ocf':
      return findOcf(resource, directories);
    case 'lsb':
      return findLsb(type, directories);
    case 'systemd':
      return findSystemd(type, directories);
    case 'service': {
      const script = await findLsb(type, directories);
      if (script.kind !== 'missing') return script;
      const unit = findSystemd(type, directories);
      return unit.kind === 'missing' ? missing(`there is neither an init script nor a systemd to run service ${type}`) : unit;
    }
    case 'stonith':
      return findFenceAgent(type, directories);
    default:
      return missing(`resource ${resource.id} has class '${resource.class}'; this node runs ocf, lsb, systemd, service and stonith`);
  }
}

/** By which fence agents are told from whatever else is installed beside them: `/usr/sbin` holds many a program. */
const FENCE_AGENT = /^fence_/;

/** Finds a fence agent by its program name, e.g. `fence_ipmilan`. */
export async function findFenceAgent(
  program: string,
  directories: AgentDirectories,
): Promise<Extract<FoundAgent, { readonly kind: 'stonith' | 'missing' | 'unknown' }>> {
  if (!SAFE_NAME.test(program)) return missing(`'${program}' is not a valid fence agent name`);
  if (!FENCE_AGENT.test(program)) return missing(`'${program}' is no fence agent: their names begin with fence_`);
  for (const directory of directories.fence) {
    const path = join(directory, program);
    const entry = await entryAt(path);
    if (entry.kind === 'unknown') return entry;
    if (entry.kind === 'program') return { kind: 'stonith', path };
  }
  return missing(`fence agent ${program} is not installed in ${directories.fence.join(' or ')}`);
}

async function findOcf(resource: AgentResource, directories: AgentDirectories): Promise<FoundAgent> {
  const { provider, type } = resource;
  if (provider === undefined || !SAFE_NAME.test(provider)) return missing(`resource ${resource.id} has no valid provider`);
  for (const root of directories.ocfRoots) {
    const path = join(root, 'resource.d', provider, type);
    const entry = await entryAt(path);
    if (entry.kind === 'unknown') return entry;
    if (entry.kind === 'program') return { kind: 'ocf', path, ocfRoot: await rootForFunctions(root, directories) };
  }
  return missing(`resource agent ocf:${provider}:${type} is not installed in ${directories.ocfRoots.join(' or ')}`);
}

/** An extra root may hold agents only; they then take the shell functions of the system's root. */
async function rootForFunctions(root: string, directories: AgentDirectories): Promise<string> {
  const complete = await stat(join(root, 'lib', 'heartbeat')).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  return complete ? root : (directories.ocfRoots[0] ?? root);
}

/** An init script by its name, or by its path in the directory of init scripts: what lies elsewhere is none. */
async function findLsb(type: string, { lsb }: AgentDirectories): Promise<FoundAgent> {
  const name = type.startsWith(`${lsb}/`) ? type.slice(lsb.length + 1) : type;
  if (!SAFE_NAME.test(name)) return missing(`'${type}' is no init script: these lie in ${lsb}`);
  const path = join(lsb, name);
  const entry = await entryAt(path);
  if (entry.kind === 'unknown') return entry;
  return entry.kind === 'program' ? { kind: 'lsb', path } : missing(`init script ${path} is not installed`);
}

function findSystemd(type: string, { systemd }: AgentDirectories): FoundAgent {
  if (systemd === undefined) return missing(`this machine does not run systemd, which resource type ${type} needs`);
  const name = unitName(type);
  if (!name.ok) return missing(name.problem);
  return { kind: 'systemd', access: systemd, unit: name.unit, isService: name.isService };
}

/** OCF agents installed here, as `ocf:<provider>:<type>`, sorted and without repetitions. */
export async function listOcfAgents(directories: AgentDirectories): Promise<string[]> {
  const found = new Set<string>();
  for (const root of directories.ocfRoots) {
    for (const provider of await entries(join(root, 'resource.d'))) {
      for (const type of await entries(join(root, 'resource.d', provider))) {
        if (SAFE_NAME.test(type) && (await entryAt(join(root, 'resource.d', provider, type))).kind === 'program')
          found.add(`ocf:${provider}:${type}`);
      }
    }
  }
  return [...found].sort();
}

async function entries(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

/** A directory, or a file that nobody may execute, is no program. What is not known to be missing is not said to be. */
async function entryAt(path: string): Promise<Entry> {
  try {
    const found = await stat(path);
    return { kind: found.isFile() && (found.mode & 0o111) !== 0 ? 'program' : 'none' };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'none' };
    return { kind: 'unknown', code, message: error instanceof Error ? error.message : String(error) };
  }
}

function missing(reason: string): Extract<FoundAgent, { readonly kind: 'missing' }> {
  return { kind: 'missing', reason };
}
