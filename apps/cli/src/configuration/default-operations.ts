import { ProblemError, unwrap, type components } from '@systole/api-client';
import { parseRole } from '@systole/cib';
import type { Session } from '../session.js';

/** An action that an agent says it has. */
export type AdvertisedAction = components['schemas']['AgentOperationDto'];

/** An operation to be configured, as the JSON of a resource has it. */
export type ConfiguredOperation = Readonly<Record<'name' | 'interval', string>> & Readonly<Partial<Record<'timeout' | 'role', string>>>;

/** What recurs where neither an agent nor a person says how often. */
export const MONITOR_INTERVAL = '60s';

const DEFAULT_MONITOR: ConfiguredOperation = { name: 'monitor', interval: MONITOR_INTERVAL };

/** What the cluster calls an agent with, besides monitors: other actions (`methods`, `validate-all`) are for people and tools. */
const ONCE = ['start', 'stop', 'promote', 'demote', 'reload', 'reload-agent', 'notify', 'migrate_to', 'migrate_from'] as const;

/** What is known of the operations of a resource that is to be made. */
export interface OperationsKnown {
  /** The actions of its agent; undefined where no node has told them. */
  readonly advertised: readonly AdvertisedAction[] | undefined;
  /** Names of those that the caller gave: they are as he gave them. */
  readonly given?: readonly string[];
  /** Leaves out all but monitors. */
  readonly monitorsOnly?: boolean;
}

/** The operations that a resource gets besides those that its caller gave, as pcs has it: with what the agent advertises, and with a monitor in any case. */
export function defaultOperations({ advertised = [], given = [], monitorsOnly = false }: OperationsKnown): readonly ConfiguredOperation[] {
  const monitors = given.includes('monitor') ? [] : monitorsOf(advertised);
  if (monitorsOnly) return monitors;
  const once = ONCE.filter((name) => !given.includes(name)).flatMap((name): readonly ConfiguredOperation[] => {
    const timeoutMs = advertised.find((action) => action.name === name)?.timeoutMs;
    return timeoutMs === undefined ? [] : [{ name, interval: '0s', timeout: duration(timeoutMs) }];
  });
  return [...monitors, ...once];
}

/** One for each role: two with one interval would be the same operation to the cluster. Those of a deeper level are for whoever wants their cost. */
function monitorsOf(advertised: readonly AdvertisedAction[]): readonly ConfiguredOperation[] {
  const byRole = new Map<string | undefined, AdvertisedAction>();
  for (const action of advertised) {
    const role = parseRole(action.role);
    if (action.name === 'monitor' && !(Number(action.depth ?? 0) > 0) && !byRole.has(role)) byRole.set(role, action);
  }
  const taken = new Set<number>();
  const monitors = [...byRole].map(([role, { timeoutMs, intervalMs = 0 }]): ConfiguredOperation => {
    let interval = intervalMs > 0 ? intervalMs : 60_000;
    while (taken.has(interval)) interval += 1_000;
    taken.add(interval);
    return {
      ...{ name: 'monitor', interval: duration(interval) },
      ...(timeoutMs === undefined ? {} : { timeout: duration(timeoutMs) }),
      ...(role === undefined ? {} : { role }),
    };
  });
  return monitors.length === 0 ? [DEFAULT_MONITOR] : monitors;
}

function duration(ms: number): string {
  return ms % 1_000 === 0 ? `${String(ms / 1_000)}s` : `${String(ms)}ms`;
}

/** The actions of an agent in the version that most nodes have; undefined where no node has told. @param agent e.g. `ocf:heartbeat:IPaddr2` */
export async function advertisedActions(session: Session, agent: string): Promise<readonly AdvertisedAction[] | undefined> {
  const params = { path: { cluster: await session.cluster(), agent } };
  try {
    const { versions } = unwrap(await session.client.GET('/v1/clusters/{cluster}/metadata/agents/{agent}', { params }));
    return versions.find(({ metadata }) => metadata !== undefined)?.metadata?.actions;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined;
    throw error;
  }
}
