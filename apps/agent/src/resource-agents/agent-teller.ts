import { setTimeout as pause } from 'node:timers/promises';
import { installedAgents, LISTED_CLASSES, MetadataError, readAgentMetadata, readFenceMetadata } from '@systole/ocf';
import type { AgentHost, AgentMetadata, InstalledAgentProgram } from '@systole/ocf';
import { beginningOf, carriableText, LIMITS, type AgentDescriptionRequest, type InstalledAgent } from '@systole/protocol';
import type { Logger } from 'pino';
import type { AllowList } from '../programs/allow-list.js';
import { ServerRefused, ServerUnavailable, type ServerConnection } from '../server/server-connection.js';
import { AgentDigests } from './agent-digests.js';
import { describedAgent } from './described-agent.js';

/** How often it is looked whether agents were installed, changed or removed, ms. */
const LOOK_EVERY_MS = 60_000;
/** How often it is looked whether the node has joined, or joined anew, ms. */
const JOINED_EVERY_MS = 500;
/** Between two agents that are asked for their meta-data, ms: what the node is there for goes first. */
const REST_MS = 100;
/** After what could not be told, ms. */
const RETRY_MS = 15_000;

export interface TellerParts {
  readonly host: AgentHost;
  readonly server: ServerConnection;
  /** The session, and the server that answered last; undefined while the node is not joined. */
  readonly session: () => { readonly url: string; readonly incarnation: number } | undefined;
  readonly logger: Logger;
  /** What may run on the node: nothing else is run to describe itself, nor told; undefined: everything. */
  readonly allowed?: AllowList | undefined;
  /** Between two looks, ms; default one minute. */
  readonly lookEveryMs?: number;
}

/** What was told last, and in whose life. */
interface Told {
  readonly incarnation: number;
  readonly inventory: string;
}

/**
 * Tells the server which resource and fence agents this node has, when it has joined and whenever that changes, and the meta-data of those that the server asks for. One after the other,
 * apart from the session: no poll, no operation and no lease waits for any of it.
 */
export class AgentTeller {
  private readonly digests = new AgentDigests();
  private told: Told | undefined;

  constructor(private readonly parts: TellerParts) {}

  /** Goes on until it is told to stop; never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    let dueAt = 0;
    while (!stop.aborted) {
      const incarnation = this.parts.session()?.incarnation;
      const isDue = performance.now() >= dueAt || (this.told !== undefined && incarnation !== this.told.incarnation);
      if (incarnation !== undefined && isDue) {
        const waitMs = await this.look(stop).catch((error: unknown) => this.retryIn(error));
        dueAt = performance.now() + waitMs;
      }
      await pause(JOINED_EVERY_MS, undefined, { signal: stop, ref: false }).catch(() => undefined);
    }
  }

  /** @returns ms until the next look */
  private async look(stop: AbortSignal): Promise<number> {
    const { session, host, allowed, lookEveryMs = LOOK_EVERY_MS } = this.parts;
    const installedHere = await installedAgents(host.directories);
    const programs = installedHere.filter((program) => allowed?.refusalOf(program) === undefined);
    const digests = await this.digests.of(programs);
    const told = programs.flatMap((program) => installed(program, digests)).slice(0, LIMITS.installedAgents);
    const inventory = JSON.stringify(told);
    const joined = session();
    if (joined === undefined) return 0;
    if (this.told?.incarnation === joined.incarnation && this.told.inventory === inventory) return lookEveryMs;
    await this.tell(joined.incarnation, told, programs, stop);
    this.told = { incarnation: joined.incarnation, inventory };
    return lookEveryMs;
  }

  private async tell(
    incarnation: number,
    agents: readonly InstalledAgent[],
    programs: readonly InstalledAgentProgram[],
    stop: AbortSignal,
  ): Promise<void> {
    const { server } = this.parts;
    const described = new Set<InstalledAgentProgram>();
    for (;;) {
      const { wanted } = await server.installedAgents(this.url(incarnation), { incarnation, classes: [...LISTED_CLASSES], agents }, stop);
      const next = wanted.flatMap((agent) => programs.filter((program) => isOf(program, agent)).map((program) => ({ agent, program })));
      const fresh = next.filter(({ program }) => !described.has(program));
      if (fresh.length === 0) return;
      for (const { agent, program } of fresh) {
        described.add(program);
        const { provider, ...named } = agent;
        const description = await this.describe(program, stop);
        // What was ended with the agent says nothing about its meta-data.
        stop.throwIfAborted();
        const request = { incarnation, ...named, ...(provider === undefined ? {} : { provider }), ...description };
        await server.describeAgent(this.url(incarnation), request, stop);
        await pause(REST_MS, undefined, { signal: stop, ref: false });
      }
    }
  }

  private async describe(
    program: InstalledAgentProgram,
    abort: AbortSignal,
  ): Promise<Pick<AgentDescriptionRequest, 'metadata' | 'problem'>> {
    try {
      return { metadata: describedAgent(await this.read(program, abort)) };
    } catch (error) {
      if (!(error instanceof MetadataError)) throw error;
      return { problem: beginningOf(carriableText(error.message), LIMITS.reasonChars) };
    }
  }

  private read(program: InstalledAgentProgram, abort: AbortSignal): Promise<AgentMetadata> {
    const { host } = this.parts;
    return program.class === 'stonith'
      ? readFenceMetadata(program.path, host, { abort })
      : readAgentMetadata({ id: program.type, ...program }, host, { abort });
  }

  /** @throws {ServerUnavailable} when the session that it is told in is over */
  private url(incarnation: number): string {
    const joined = this.parts.session();
    if (joined?.incarnation !== incarnation) throw new ServerUnavailable('the node joined anew, or is not joined any more');
    return joined.url;
  }

  /** Nothing depends on it but what the server can say about agents. @returns ms until it is told again */
  private retryIn(error: unknown): number {
    // Until then nothing counts as told, so that a new session alone is no reason to try earlier.
    this.told = undefined;
    const isUsual = error instanceof ServerUnavailable || error instanceof ServerRefused;
    const problem = error instanceof Error ? error.message : String(error);
    this.parts.logger[isUsual ? 'info' : 'warn']({ problem }, 'which resource agents this node has could not be told; it is tried again');
    return error instanceof ServerUnavailable ? Math.max(RETRY_MS, error.retryAfterMs) : RETRY_MS;
  }
}

function installed({ path, ...agent }: InstalledAgentProgram, digests: ReadonlyMap<string, string>): readonly InstalledAgent[] {
  const digest = digests.get(path);
  const { class: standard, provider, type } = agent;
  const isNameable = [standard, provider ?? '', type].every((name) => name.length <= LIMITS.agentNameChars);
  return digest === undefined || !isNameable ? [] : [{ ...agent, digest }];
}

function isOf(program: InstalledAgentProgram, agent: InstalledAgent): boolean {
  return program.class === agent.class && program.provider === agent.provider && program.type === agent.type;
}
