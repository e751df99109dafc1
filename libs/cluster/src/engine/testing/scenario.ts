import type { GraphAction, Synapse, TransitionGraph } from '@systole/scheduler';
import type { OperationStatus } from '../../events/cluster-event.js';
import { createEngine, describe, type Engine } from '../engine.js';
import type { EngineEffect, EngineInput, EngineLimits } from '../engine-types.js';

/**
 * Runs a scenario: text blocks of commands, `----`, and what comes of them, so that a difference in a test is a difference in behaviour
 * that anyone can read. Answers the same text with the actual outcomes.
 *
 * Commands:
 * - `graph [batch=N] [per-node=N] [on=NODE:N,…] [bulk=CHARACTERS] [migrations=N] [activation=held] [left=RESOURCE,…] [leaving=NODE,…]`, then one line per synapse: `<id> <pseudo|fence|shutdown|clear|TASK> [resource] [node] [carries=CHARACTERS] [key=value …] [< inputs]`
 * - `start`, `tick SECONDS`, `result ID rc=N [status=S]`, `performed ID [failed]`, `lost NODE`, `abort REASON`
 */
export function runScenario(text: string): string {
  const run = new ScenarioRun();
  return text
    .trimEnd()
    .split(/\n\n+/)
    .map((block) => {
      const [command = ''] = block.split('\n----');
      return command.startsWith('#') ? command : `${command}\n----\n${run.execute(command)}`;
    })
    .join('\n\n')
    .concat('\n');
}

class ScenarioRun {
  private engine: Engine | undefined;
  private now = 0;

  execute(command: string): string {
    const [first = '', ...rest] = command.split('\n');
    const [verb = '', ...words] = first.trim().split(/\s+/);
    if (verb === 'graph') {
      this.now = 0;
      this.engine = createEngine(graphOf(rest), limitsOf(options(words)));
      return 'ok';
    }
    const { engine } = this;
    if (engine === undefined) throw new Error('a scenario begins with a graph');
    const id = Number(words[0]);
    const more = options(words);
    const input = ((): EngineInput => {
      switch (verb) {
        case 'start':
          return { type: 'start', now: this.now };
        case 'tick':
          this.now = Number(words[0]) * 1000;
          return { type: 'tick', now: this.now };
        case 'result':
          return {
            type: 'result',
            graphActionId: id,
            rc: Number(more.get('rc') ?? 0),
            status: (more.get('status') ?? 'done') as OperationStatus,
            now: this.now,
          };
        case 'performed':
          return { type: 'performed', graphActionId: id, ok: !words.includes('failed'), now: this.now };
        case 'lost':
          return { type: 'node-lost', node: words[0] ?? '', now: this.now };
        case 'abort':
          return { type: 'abort', reason: words.join(' '), now: this.now };
        default:
          throw new Error(`unknown command ${verb}`);
      }
    })();
    return engine.step(input).map(wordsOf).join('\n') || 'nothing';
  }
}

function options(words: readonly string[]): Map<string, string> {
  return new Map(words.filter((word) => word.includes('=')).map((word) => [word.split('=')[0] ?? '', word.slice(word.indexOf('=') + 1)]));
}

function limitsOf(more: ReadonlyMap<string, string>): EngineLimits {
  const migrations = more.get('migrations');
  return {
    batch: Number(more.get('batch') ?? 100),
    actionsPerNode: Number(more.get('per-node') ?? 100),
    ...(more.has('bulk') ? { bulk: Number(more.get('bulk')) } : {}),
    actionsOnNode: new Map((more.get('on') ?? '').split(',').flatMap((each) => (each === '' ? [] : [limitOnNode(each)]))),
    networkAllowanceMs: 60_000,
    activationHeld: more.get('activation') === 'held',
    heldResources: new Set(more.get('left')?.split(',')),
    leaving: new Set(more.get('leaving')?.split(',')),
    ...(migrations === undefined ? {} : { migrationsPerNode: Number(migrations) }),
  };
}

function limitOnNode(text: string): readonly [string, number] {
  const [node = '', limit] = text.split(':');
  return [node, Number(limit)];
}

/** A graph from lines; for scenarios and property tests. */
export function graphOf(lines: readonly string[]): TransitionGraph {
  const synapses = lines.map((line, position): Synapse => {
    const [left = '', right = ''] = line.split('<');
    const [id = '', task = '', ...words] = left.trim().split(/\s+/);
    const inputs = right.trim() === '' ? [] : right.trim().split(/\s+/).map(Number);
    const priority = Number(options(words).get('priority') ?? 0);
    return { id: position, priority, action: actionOf(Number(id), task, words), inputs };
  });
  return {
    clusterDelay: '60s',
    fencingTimeout: '60s',
    failedStopOffset: 'INFINITY',
    failedStartOffset: 'INFINITY',
    batchLimit: '0',
    synapses,
  };
}

function actionOf(id: number, task: string, words: readonly string[]): GraphAction {
  const plain = words.filter((word) => !word.includes('='));
  const given = options(words);
  const attributes = Object.fromEntries([...given].map(([name, value]) => [`CRM_meta_${name}`, value]));
  if (given.has('carries')) attributes['text'] = 'x'.repeat(Number(given.get('carries')));
  const node = (name: string | undefined): Pick<GraphAction, 'node'> => (name === undefined ? {} : { node: { id: name, name } });
  switch (task) {
    case 'pseudo':
      return { kind: 'pseudo_event', id, operation: plain[0] ?? '', operationKey: plain[0] ?? '', attributes };
    case 'fence':
      return { kind: 'crm_event', id, operation: 'stonith', operationKey: `stonith-${plain[0] ?? ''}`, attributes, ...node(plain[0]) };
    case 'shutdown':
      return {
        kind: 'crm_event',
        id,
        operation: 'do_shutdown',
        operationKey: `do_shutdown-${plain[0] ?? ''}`,
        attributes,
        ...node(plain[0]),
      };
    default: {
      const resource = plain[0] ?? '';
      const event = task === 'clear_failcount' || task === 'lrm_delete';
      return {
        kind: event ? 'crm_event' : 'rsc_op',
        id,
        operation: task,
        operationKey: `${resource}_${task}_0`,
        attributes,
        ...node(plain[1]),
        primitive: { id: resource, class: 'ocf', provider: 'systole', type: 'Dummy' },
      };
    }
  }
}

function wordsOf(effect: EngineEffect): string {
  switch (effect.type) {
    case 'dispatch':
      return `dispatch ${String(effect.action.id)} ${describe(effect.action)}, until ${String(effect.expiresAt / 1000)}`;
    case 'perform':
      return `perform ${String(effect.action.id)} ${describe(effect.action)}`;
    case 'record-timeout':
      return `record timeout of ${String(effect.action.id)}`;
    case 'aborted':
      return `aborted: ${effect.reason}`;
    case 'finished':
      return `finished ${effect.outcome}: ${String(effect.completed)} completed, ${String(effect.skipped)} skipped, ${String(effect.failed)} failed`;
  }
}
