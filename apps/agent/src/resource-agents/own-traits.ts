import { parameterTraits, type ParameterTraits } from '@systole/cib';
import { findAgent, MetadataError, readAgentMetadata, type AgentHost, type AgentResource } from '@systole/ocf';
import type { Logger } from 'pino';
import type { AllowList } from '../programs/allow-list.js';
import { programMark } from './program-mark.js';

/** How long a program that did not say what it takes is not asked again, ms; but for one that was changed. */
const PASSED_OVER_MS = 10 * 60_000;

/** What a program has said about its parameters. */
export interface ToldTraits {
  readonly path: string;
  /** Which version of it that was. */
  readonly mark: string;
  readonly traits: ParameterTraits;
}

type Asked =
  | { readonly mark: string; readonly told: Promise<ToldTraits | undefined> }
  /** @property until on the clock of `performance.now` */
  | { readonly mark: string; readonly until: number };

export interface OwnTraitsParts {
  readonly host: AgentHost;
  readonly logger: Pick<Logger, 'warn'>;
  /** What may run on the node: nothing else is asked; undefined: everything. */
  readonly allowed?: AllowList | undefined;
  /** Ends the programs that are being asked. */
  readonly ended: AbortSignal;
}

/** What the OCF agents of this node say about their parameters, asked for when somebody wants to know: once for each version of a program. */
export class OwnTraits {
  private readonly asked = new Map<string, Asked>();

  constructor(private readonly parts: OwnTraitsParts) {}

  /** Undefined for what can't be read, or may not run here. Takes as long as the program does, which is ended after its time. Never rejects. */
  async of(resource: AgentResource): Promise<ToldTraits | undefined> {
    const { host, allowed } = this.parts;
    if (allowed?.refusalOf(resource) !== undefined) return undefined;
    const found = await findAgent(resource, host.directories);
    if (found.kind !== 'ocf') return undefined;
    const { path } = found;
    const mark = await programMark(path).catch(() => undefined);
    if (mark === undefined) return undefined;
    const asked = this.asked.get(path);
    if (asked?.mark === mark) {
      if ('told' in asked) return asked.told;
      if (performance.now() < asked.until) return undefined;
    }
    const told = this.ask(resource, path, mark);
    this.asked.set(path, { mark, told });
    return told;
  }

  /** Whether the program is the version that said so. */
  async isStill({ path, mark }: ToldTraits): Promise<boolean> {
    return (await programMark(path).catch(() => undefined)) === mark;
  }

  private async ask(resource: AgentResource, path: string, mark: string): Promise<ToldTraits | undefined> {
    const { host, logger, ended } = this.parts;
    try {
      const { parameters, actions } = await readAgentMetadata(resource, host, { abort: ended });
      const traits = parameterTraits([{ parameters, actions: actions.map(({ name }) => name) }]);
      return { path, mark, traits };
    } catch (error) {
      this.asked.set(path, { mark, until: performance.now() + PASSED_OVER_MS });
      if (ended.aborted) return undefined;
      const problem = error instanceof Error ? error.message : String(error);
      const isUsual = error instanceof MetadataError;
      logger.warn(
        { path, problem, ...(isUsual ? {} : { err: error }) },
        'what a resource agent takes can not be read: each change of a parameter will restart what it runs',
      );
      return undefined;
    }
  }
}
