import type { components } from '@systole/api-client';
import type { Paint } from './paint.js';

type Explanation = components['schemas']['ExplanationDto'];
type Action = components['schemas']['ActionExplanationDto'];

/** What few people ask about: each kind in words, for one and for several. */
const MINOR = {
  probe: ['probe', 'probes'],
  monitor: ['recurring monitor', 'recurring monitors'],
  notification: ['notification', 'notifications'],
  step: ['step of a group, clone or bundle', 'steps of groups, clones and bundles'],
} as const;

type Minor = keyof typeof MINOR;

/** The actions, each with the chain of its reasons below it. @param all also those that follow from others as a matter of course */
export function explainedActions({ placements, actions, moreActions }: Explanation, paint: Paint, all: boolean): readonly string[] {
  const primitives = new Set(placements.map(({ resource }) => resource));
  const left = new Map<Minor, number>();
  const lines: string[] = [];
  for (const action of actions) {
    const minor = all ? undefined : minorKind(action, primitives);
    if (minor === undefined) lines.push(...actionLines(action, paint));
    else left.set(minor, (left.get(minor) ?? 0) + 1);
  }
  const counted = [...left].map(([kind, count]) => `${count} ${MINOR[kind][count === 1 ? 0 : 1]}`);
  return [
    ...(lines.length === 0 && counted.length === 0 ? ['  nothing to do'] : lines),
    ...(counted.length === 0 ? [] : [paint('dim', `  ${lines.length === 0 ? '' : 'and '}${counted.join(', ')} (--all shows them)`)]),
    ...(moreActions === undefined ? [] : [`  and ${moreActions} more that the server left out: name resources or a node`]),
  ];
}

function minorKind({ operation, resource, name, state }: Action, primitives: ReadonlySet<string>): Minor | undefined {
  if (state === 'blocked') return undefined;
  if (operation === 'monitor') return name.startsWith('probe') ? 'probe' : 'monitor';
  if (operation === 'notify') return 'notification';
  if (resource === undefined) return operation === 'stonith' || operation === 'do_shutdown' ? undefined : 'step';
  return primitives.has(resource) ? undefined : 'step';
}

function actionLines({ name, state, because }: Action, paint: Paint): readonly string[] {
  const head = state === 'blocked' ? `  ${name}  ${paint('red', 'BLOCKED')}` : `  ${name}`;
  return [head, ...because.map(({ text }, depth) => paint('dim', `    ${'  '.repeat(depth)}└ ${text}`))];
}
