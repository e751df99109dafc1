import type { ElementChange } from '@systole/cib';

/** Elements that a text names before it only counts. */
const NAMED = 3;
/** What people call a resource: a change of anything in it is told as a change of it. */
const RESOURCES = new Set(['primitive', 'group', 'clone', 'master', 'bundle', 'template']);
/** Steps of a path that hold elements, and are none that people name: `configuration`, and a section. */
const SECTION = 2;

interface Step {
  readonly kind: string;
  readonly id: string;
}

/** What a configuration change touched, in a few words: `~ primitive db, + location l1, 4 more`; empty for none. */
export function changedElements(changes: readonly ElementChange[]): string {
  const told = [...new Set(changes.map(changeText))];
  const more = told.length > NAMED ? [`${told.length - NAMED} more`] : [];
  return [...told.slice(0, NAMED), ...more].join(', ');
}

function changeText({ kind, id, path, before, after }: ElementChange): string {
  const above = stepsOf(path);
  const inner = above.findLast((step) => RESOURCES.has(step.kind));
  const owner = RESOURCES.has(kind) ? undefined : (inner ?? ownerOf(above));
  if (owner !== undefined) return `~ ${stepText(owner)}`;
  const sign = before === undefined ? '+' : after === undefined ? '-' : '~';
  return `${sign} ${stepText({ kind, id })}`;
}

/** What stands in a section itself. A set of options is no thing of its own: its options are. */
function ownerOf(above: readonly Step[]): Step | undefined {
  const owner = above[SECTION];
  return owner === undefined || owner.kind === 'cluster_property_set' || owner.kind === 'meta_attributes' ? undefined : owner;
}

function stepText({ kind, id }: Step): string {
  const word = kind.replace(/^rsc_/, '');
  return id === '' ? word : `${word} ${id}`;
}

function stepsOf(path: string): readonly Step[] {
  return [...path.matchAll(/([^/[\]]+)(?:\[@id='([^']*)'\])?(?:\/|$)/g)].map(([, kind = '', id = '']) => ({ kind, id }));
}
