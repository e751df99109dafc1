import { scoreEntries } from '@systole/scheduler';
import { renderDot } from '../dot/render-dot.js';
import { executionLine } from '../execution/executed-action.js';
import type { Injections } from '../injections/injections.js';
import { injectionLine } from '../injections/injected-change.js';
import { scoreLine } from '../scores/render-scores.js';
import { runSimulation } from '../simulation/run-simulation.js';
import { renderPreamble, renderStatus } from '../status/render-status.js';
import { describeChanges } from '../summary/describe-changes.js';
import { renderSummary } from '../summary/render-summary.js';
import { meta, primitive, type RecordedOperation, smallCib, type SmallNode } from './small-cib.js';

/** A moment after everything that scenarios record. */
const NOW = 1_700_010_000;

interface Draft {
  readonly nodes: SmallNode[];
  readonly options: Record<string, string>;
  resources: string;
  constraints: string;
  readonly history: RecordedOperation[];
  readonly failures: string[];
  readonly injections: { -readonly [Name in keyof Injections]: Injections[Name] };
  readonly shown: string[];
}

/**
 * Runs the scenarios of a file and returns the file with their actual outcomes. A scenario begins with `== TITLE`; its lines until `----` describe a
 * cluster and what to show; the outcome follows:
 *
 *     nodes n1 n2 ...                       members that are online
 *     node NAME ATTRIBUTE=VALUE ...         attributes of its node_state; a permanent attribute as @NAME=VALUE
 *     option NAME=VALUE ...
 *     primitive ID META=VALUE ...           an agent of class ocf; op=SECONDS adds a recurring monitor
 *     <...>                                 XML: constraints (rsc_...) or resources
 *     history RESOURCE TASK[/MS] NODE [rc=N] [expected=N] [pending]
 *     inject up|down|fail|grant|revoke|standby|activate|operation|quorum|watchdog VALUE
 *     fail SPEC                             an operation that fails while the transition is executed
 *     show status|summary|execution|revised|scores|dot|all-dot|attributes|modifications ...
 */
export function runScenarios(text: string): string {
  return text
    .split(/^(?=== )/m)
    .map((scenario) => (scenario.startsWith('== ') ? runScenario(scenario) : scenario))
    .join('');
}

function runScenario(text: string): string {
  const [given = ''] = text.split(/^----$/m);
  return `${given}----\n${outcome(describe(given))}\n`;
}

function describe(given: string): Draft {
  const draft: Draft = { nodes: [], options: {}, resources: '', constraints: '', history: [], failures: [], injections: {}, shown: [] };
  for (const line of given.split('\n').slice(1)) readLine(draft, line.trim());
  return draft;
}

function readLine(draft: Draft, line: string): void {
  if (line === '' || line.startsWith('#')) return;
  if (line.startsWith('<')) {
    if (line.startsWith('<rsc_')) draft.constraints += line;
    else draft.resources += line;
    return;
  }
  const [directive, ...words] = line.split(/ +/);
  const [first = '', ...rest] = words;
  switch (directive) {
    case 'nodes':
      draft.nodes.push(...words.map((name) => ({ name })));
      return;
    case 'node':
      draft.nodes.push(readNode(first, rest));
      return;
    case 'option':
      Object.assign(draft.options, pairs(words));
      return;
    case 'primitive':
      draft.resources += readPrimitive(first, pairs(rest));
      return;
    case 'history':
      draft.history.push(readHistory(first, rest));
      return;
    case 'inject':
      inject(draft, first, rest.join(' '));
      return;
    case 'fail':
      draft.failures.push(first);
      return;
    case 'show':
      draft.shown.push(...words);
      return;
    default:
      throw new Error(`unknown line in a scenario: ${line}`);
  }
}

function pairs(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
}

function readNode(name: string, words: readonly string[]): SmallNode {
  const all = Object.entries(pairs(words));
  return {
    name,
    attributes: Object.fromEntries(all.filter(([key]) => key.startsWith('@')).map(([key, value]) => [key.slice(1), value])),
    state: Object.fromEntries(all.filter(([key]) => !key.startsWith('@'))),
  };
}

function readPrimitive(id: string, { op, ...attributes }: Record<string, string>): string {
  const operations = op === undefined ? '' : `<operations><op id="${id}-op" name="monitor" interval="${op}s"/></operations>`;
  return primitive(id, (Object.keys(attributes).length === 0 ? '' : meta(id, attributes)) + operations);
}

function readHistory(resource: string, [operation = '', node = '', ...rest]: readonly string[]): RecordedOperation {
  const [task = '', interval = '0'] = operation.split('/');
  const { rc, expected } = pairs(rest.filter((word) => word.includes('=')));
  return {
    resource,
    node,
    task,
    interval: Number(interval),
    ...(rc === undefined ? {} : { rc: Number(rc) }),
    ...(expected === undefined ? {} : { expected: Number(expected) }),
    pending: rest.includes('pending'),
  };
}

const listedInjections = {
  up: 'nodesUp',
  down: 'nodesDown',
  fail: 'nodesFailed',
  grant: 'ticketsGranted',
  revoke: 'ticketsRevoked',
  standby: 'ticketsStandby',
  activate: 'ticketsActivated',
  operation: 'operations',
} as const;

function inject({ injections }: Draft, kind: string, value: string): void {
  if (kind === 'quorum' || kind === 'watchdog') injections[kind] = value;
  else if (isListed(kind)) {
    const name = listedInjections[kind];
    injections[name] = [...(injections[name] ?? []), value];
  } else throw new Error(`unknown injection in a scenario: ${kind}`);
}

const isListed = (kind: string): kind is keyof typeof listedInjections => Object.hasOwn(listedInjections, kind);

function outcome({ failures, injections, shown, ...described }: Draft): string {
  const cib = smallCib(described);
  const texts = new Map<string, string>();
  const add = (key: string, text: string): void => {
    texts.set(key, (texts.get(key) ?? '') + text);
  };
  runSimulation(
    cib,
    { depth: 'execute', now: NOW, clock: NOW, injections, failures },
    {
      current: (cluster) => {
        add('status', renderPreamble(cluster) + renderStatus(cluster, 'current'));
        add('attributes', renderStatus(cluster, 'current', { attributes: true, failCounts: true }));
      },
      modified: (changes) => {
        for (const change of changes) add('modifications', `${injectionLine(change)}\n`);
      },
      planned: (planned) => {
        add('summary', renderSummary(describeChanges(planned)));
        add(
          'scores',
          scoreEntries(planned.cluster)
            .map((entry) => `${scoreLine(entry)}\n`)
            .join(''),
        );
        add('dot', renderDot(planned));
        add('all-dot', renderDot(planned, { allActions: true, actionIds: true }));
      },
      executed: (event) => {
        const text = executionLine(event) ?? ('text' in event ? `error: ${event.text}` : event.kind);
        add('execution', `${text}\n`);
      },
      revised: (cluster, end) => {
        if (end !== 'complete') add('execution', `${end}\n`);
        add('revised', renderStatus(cluster, 'revised'));
      },
    },
  );
  return shown.map((key) => texts.get(key) ?? '(nothing)\n').join('\n');
}
