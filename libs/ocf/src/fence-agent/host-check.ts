import type { AgentHost } from '../resource-agent/host.js';
import type { AgentMetadata } from '../resource-agent/metadata.js';

/** How a device is asked something: what its agent is told, and how long and how often it is tried. */
export interface Question {
  readonly action: string;
  readonly timeoutMs: number;
  readonly tries: number;
}

/** How it is made sure that a device can fence a node, before it is told to (`pcmk_host_check`). */
export interface HostCheck {
  /** `auto`: by its list where the agent has one, else by its status where it has that, else not at all. */
  readonly how: 'auto' | 'dynamic-list' | 'status';
  readonly list: Question;
  readonly status: Question;
}

/** What the agent said to a question. */
export interface Reply {
  /** The program's exit code; undefined when it did not end by itself, or not in time. */
  readonly code: number | undefined;
  readonly output: string;
  /** What went wrong, for people. */
  readonly problem?: string;
}

export type Ask = (question: Question) => Promise<Reply>;

/** The node as it is called, and as the device calls it. */
export interface CheckedTarget {
  readonly target: string;
  readonly plugs: readonly string[];
}

const LIST_KEPT_MS = 60_000;

interface KeptList {
  readonly names: ReadonlySet<string>;
  readonly until: number;
}

/** By the directories of a host, which stay the same object for as long as it runs; then by device. */
const listsOf = new WeakMap<AgentHost['directories'], Map<string, KeptList>>();

/** Exit codes of `status`: on, off. */
const STATES: ReadonlySet<number | undefined> = new Set([0, 2]);

/**
 * Why a device can't fence a node; undefined when it can. What can't be asked is not able: to switch off what merely happens to have a name would be to
 * report a node as down that runs.
 *
 * A list is kept for a minute; a node that is not in one is looked for in a newer one.
 *
 * @param device what tells it from others: program and parameters
 * @param ask told without the target for a list, with it for a status
 */
export async function inability(
  check: HostCheck,
  node: CheckedTarget,
  device: string,
  metadata: AgentMetadata | undefined,
  host: AgentHost,
  ask: { readonly list: Ask; readonly status: Ask },
): Promise<string | undefined> {
  const how = howToAsk(check, metadata);
  switch (how) {
    case 'none':
      return undefined;
    case 'unknown':
      return "its agent's meta-data can not be read, so that it is not known which nodes it can fence: name them in pcmk_host_list";
    case 'status': {
      const { code, problem } = await ask.status(check.status);
      return STATES.has(code) ? undefined : `the device does not tell whether the node is on${problem === undefined ? '' : `: ${problem}`}`;
    }
    case 'dynamic-list': {
      const kept = listsOf.get(host.directories) ?? new Map<string, KeptList>();
      listsOf.set(host.directories, kept);
      const before = kept.get(device);
      if (before !== undefined && before.until > performance.now() && isNamed(before, node)) return undefined;
      const { code, output, problem } = await ask.list(check.list);
      if (code !== 0) {
        return `the device does not list the nodes that it can fence${problem === undefined ? '' : `: ${problem}`}`;
      }
      const list = { names: namesIn(output), until: performance.now() + LIST_KEPT_MS };
      kept.set(device, list);
      return isNamed(list, node) ? undefined : `the node is not among those that the device lists (pcmk_host_map says what it calls it)`;
    }
  }
}

function howToAsk({ how, list, status }: HostCheck, metadata: AgentMetadata | undefined): 'dynamic-list' | 'status' | 'none' | 'unknown' {
  if (how !== 'auto') return how;
  if (metadata === undefined) return 'unknown';
  const has = (action: string): boolean => metadata.actions.some(({ name }) => name === action);
  if (has(list.action)) return 'dynamic-list';
  return has(status.action) ? 'status' : 'none';
}

/** One device outlet a line, and what else it is called behind a comma (fence-agents' API, "list"). */
function namesIn(output: string): ReadonlySet<string> {
  return new Set(
    output
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((name) => name !== ''),
  );
}

function isNamed({ names }: KeptList, { target, plugs }: CheckedTarget): boolean {
  return names.has(target.toLowerCase()) || (plugs.length > 0 && plugs.every((plug) => names.has(plug.toLowerCase())));
}
