import type { OperationOutcome } from '../outcome/operation-outcome.js';
import { OCF } from '../outcome/return-codes.js';
import { executeOperation, readAgentMetadataText } from '../resource-agent/execute.js';
import { MetadataError, parseMetadata, type AgentMetadata } from '../resource-agent/metadata.js';
import { parseTree } from '../resource-agent/metadata-tree.js';
import type { AgentResource } from '../resource-agent/resource.js';
import { advertisedTimeout, checkMetadata, wrongValue } from './metadata-checks.js';
import { crashed, leftovers, type Lives } from './lives.js';
import type { TrialSurroundings } from './surroundings.js';
import { Untriable, type Findings } from './trial.js';

/** How long what advertises no time-out may take, ms. */
const DEFAULT_TIMEOUT_MS = 60_000;
/** The interval of the monitors of a trial that are no probes, ms. */
const INTERVAL_MS = 10_000;

const STOPPED = 'the resource is stopped, and cleanly: what says anything else is recovered, or its node fenced';
const RUNNING = 'the resource runs: what says anything else is recovered';

/**
 * Tries an OCF agent as its standard demands (OCF Resource Agent API 1.1, with what clusters rely on besides): each action, twice where it has to bear that, in all states.
 * @throws {Untriable}
 */
export class OcfTrial implements Lives {
  private metadata: AgentMetadata | undefined;

  constructor(
    private readonly resource: AgentResource,
    private readonly parameters: Readonly<Record<string, string>>,
    private readonly surroundings: TrialSurroundings,
    private readonly findings: Findings,
  ) {}

  async run(): Promise<void> {
    await this.describe();
    await this.refuse();
    await this.beginStopped();
    await this.live();
    if (this.advertises('promote')) await this.rise();
    await this.die();
    await leftovers(this.surroundings, this.findings);
    await crashed(this, this.surroundings, this.findings, [OCF.NOT_RUNNING, OCF.ERR_GENERIC, OCF.FAILED_PROMOTED]);
  }

  /** As far as anything was started. */
  async end(): Promise<void> {
    if (this.advertises('demote') && (await this.act('monitor')).rc === OCF.RUNNING_PROMOTED) await this.act('demote');
    await this.act('stop');
  }

  start(): Promise<OperationOutcome> {
    return this.act('start');
  }

  stop(): Promise<OperationOutcome> {
    return this.act('stop');
  }

  status(): Promise<OperationOutcome> {
    return this.act('monitor', { intervalMs: INTERVAL_MS });
  }

  private async describe(): Promise<void> {
    const { findings, resource, surroundings } = this;
    try {
      const text = await readAgentMetadataText(resource, surroundings.host);
      this.metadata = parseMetadata(text);
      findings.kept('meta-data', 'well-formed');
      const tree = parseTree(text).find(({ tag }) => tag === 'resource-agent');
      if (tree !== undefined) checkMetadata(tree, this.metadata, resource.type, findings);
    } catch (error) {
      if (!(error instanceof MetadataError)) throw error;
      findings.broken(
        'meta-data',
        error.message,
        'it prints what the agent takes and does, whatever state the machine is in, and exits with 0',
      );
    }
  }

  /** What is asked wrongly. */
  private async refuse(): Promise<void> {
    const { findings } = this;
    const unknown = await this.act('no-such-action');
    findings.judge('an unknown action', unknown, [OCF.ERR_UNIMPLEMENTED], 'clusters learn by it what an agent does not do');
    if (!this.advertises('validate-all')) {
      findings.skipped('missing and wrong parameters', 'the agent advertises no validate-all');
      return;
    }
    const right = await this.act('validate-all');
    if (!findings.judge('validate-all', right, [OCF.SUCCESS], 'the parameters that were given are right')) {
      throw new Untriable(`the agent does not take the parameters that were given: give those that it needs with --parameter`);
    }
    const refusals = [OCF.ERR_CONFIGURED, OCF.ERR_ARGS];
    for (const { name, required, type, default: preset } of this.metadata?.parameters ?? []) {
      const { [name]: given, ...rest } = this.parameters;
      if (required && preset === undefined && given !== undefined) {
        const outcome = await this.act('validate-all', { parameters: rest });
        findings.judge(`without ${name}`, outcome, refusals, 'it is called required: its absence is a wrong configuration, wherever');
      }
      const wrong = wrongValue(type);
      if (wrong === undefined) continue;
      const outcome = await this.act('validate-all', { parameters: { ...this.parameters, [name]: wrong } });
      if (outcome.status === 'done' && refusals.includes(outcome.rc as 2 | 6))
        findings.kept(`${name}=${wrong}`, `exit code ${String(outcome.rc)}`, outcome.execMs);
      else
        findings.note(
          `${name}=${wrong}`,
          `exit code ${String(outcome.rc)}`,
          `${name} is of type ${type}: 6 (or 2) tells of it before anything is started`,
        );
    }
  }

  /** What runs already is somebody's. */
  private async beginStopped(): Promise<void> {
    const { findings } = this;
    const before = await this.act('monitor');
    if (before.rc === OCF.SUCCESS || before.rc === OCF.RUNNING_PROMOTED) {
      throw new Untriable('it runs already: a trial starts and stops it, so it is tried only where nobody needs it');
    }
    findings.judge('monitor before start (a probe)', before, [OCF.NOT_RUNNING], STOPPED);
    findings.judge(
      'stop before start',
      await this.act('stop'),
      [OCF.SUCCESS],
      'what is stopped can be stopped: a stop that fails has the node fenced',
    );
  }

  private async live(): Promise<void> {
    const { findings } = this;
    if (!findings.judge('start', await this.act('start'), [OCF.SUCCESS], 'it returns when the resource runs')) {
      await this.act('stop');
      throw new Untriable('it does not start here: what it does then can not be tried');
    }
    for (const depth of this.depths()) {
      const outcome = await this.act('monitor', { intervalMs: INTERVAL_MS, depth });
      findings.judge(depth === '0' ? 'monitor' : `monitor of depth ${depth}`, outcome, [OCF.SUCCESS], RUNNING);
    }
    findings.judge('a probe of what runs', await this.act('monitor'), [OCF.SUCCESS], RUNNING);
    findings.judge('start again', await this.act('start'), [OCF.SUCCESS], 'what runs can be started: a message may come twice');
    findings.judge('monitor after that', await this.status(), [OCF.SUCCESS], RUNNING);
    for (const action of ['notify', 'reload', 'reload-agent']) {
      if (!this.advertises(action)) continue;
      findings.judge(action, await this.act(action), [OCF.SUCCESS], 'it leaves the resource running');
      findings.judge(`monitor after ${action}`, await this.status(), [OCF.SUCCESS], RUNNING);
    }
    if (this.advertises('migrate_to')) findings.skipped('migrate_to, migrate_from', 'they take two nodes');
  }

  /** Both roles, to and fro. */
  private async rise(): Promise<void> {
    const { findings } = this;
    const step = async (name: string, action: string, rc: number, why: string): Promise<void> => {
      findings.judge(name, action === 'monitor' ? await this.status() : await this.act(action), [rc], why);
    };
    await step('demote of what is not promoted', 'demote', OCF.SUCCESS, 'it is what it is to become');
    await step('promote', 'promote', OCF.SUCCESS, 'it returns when the resource is promoted');
    await step(
      'monitor of what is promoted',
      'monitor',
      OCF.RUNNING_PROMOTED,
      'by 8 a cluster knows the role: a second one would be promoted beside it',
    );
    await step('promote again', 'promote', OCF.SUCCESS, 'a message may come twice');
    await step('demote', 'demote', OCF.SUCCESS, 'it returns when the resource runs unpromoted');
    await step('monitor of what was demoted', 'monitor', OCF.SUCCESS, RUNNING);
    await step('demote again', 'demote', OCF.SUCCESS, 'a message may come twice');
  }

  private async die(): Promise<void> {
    const { findings } = this;
    findings.judge(
      'stop',
      await this.act('stop'),
      [OCF.SUCCESS],
      'it returns when the resource is stopped; one that fails has the node fenced',
    );
    findings.judge('monitor after stop', await this.act('monitor'), [OCF.NOT_RUNNING], STOPPED);
    findings.judge('stop again', await this.act('stop'), [OCF.SUCCESS], 'what is stopped can be stopped: a message may come twice');
  }

  private advertises(action: string): boolean {
    return this.metadata?.actions.some(({ name }) => name === action) === true;
  }

  private depths(): readonly string[] {
    const depths = this.metadata?.actions.filter(({ name }) => name === 'monitor').map(({ depth = '0' }) => depth) ?? [];
    return [...new Set(['0', ...depths])];
  }

  private async act(action: string, { parameters = this.parameters, intervalMs = 0, depth = '0' }: Asked = {}): Promise<OperationOutcome> {
    const timeoutMs = advertisedTimeout(this.metadata, action) ?? DEFAULT_TIMEOUT_MS;
    const level = depth === '0' ? {} : { OCF_CHECK_LEVEL: depth };
    const operation = {
      resource: this.resource,
      operation: action,
      intervalMs,
      timeoutMs,
      parameters: { ...parameters, ...level },
      meta: NOTHING_BEFORE,
    };
    return executeOperation(operation, this.surroundings.host);
  }
}

interface Asked {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly intervalMs?: number;
  readonly depth?: string;
}

/** A clone of one instance, as promotable agents look for. */
const NOTHING_BEFORE: Readonly<Record<string, string>> = {
  'CRM_meta_clone-max': '1',
  CRM_meta_clone: '0',
  'CRM_meta_clone-node-max': '1',
  'CRM_meta_promoted-max': '1',
  'CRM_meta_master-max': '1',
};
