import { formatScore } from '@systole/cib';
import { nextRole } from '../model/activity.js';
import { RoleLevel, roleName } from '../model/role.js';
import type { Resource } from '../outcome.js';

/** The instance of a promotable clone that a resource is, or belongs to; undefined outside of such clones. */
export function promotableInstance(resource: Resource): Resource | undefined {
  const { parent } = resource;
  if (!parent) return undefined;
  return parent.kind === 'clone' && parent.promotable ? resource : promotableInstance(parent);
}

/** Why an instance of a promotable clone is promoted, or isn't (specification 05 §12.5). */
export function promotionText(instance: Resource): string {
  const { parent: clone, promotionPriority: score } = instance;
  const max = clone?.clone?.promotedMax ?? 0;
  const others = (clone?.children ?? []).filter((other) => other !== instance);
  if (nextRole(instance) === RoleLevel.Promoted) {
    const rank = max === 1 ? 'the highest promotion score' : `one of the ${String(max)} highest promotion scores`;
    const next = others.find((other) => nextRole(other) !== RoleLevel.Promoted);
    const aside = next ? ` (next is ${standing(next)})` : '';
    return `${place(instance)} has ${rank}, ${formatScore(score)}${aside}`;
  }
  if (!instance.singleAssigned) return `${instance.id} has no node where it could be promoted`;
  if (score < 0) return `${place(instance)} has a negative promotion score, ${formatScore(score)}`;
  const promoted = others.filter((other) => nextRole(other) === RoleLevel.Promoted);
  const last = promoted.at(-1);
  if (last && promoted.length >= max)
    return `${standing(last)} goes before ${place(instance)} with ${formatScore(score)}, and promoted-max is ${String(max)}`;
  return `${place(instance)} is to be ${roleName(nextRole(instance))}`;
}

function place(instance: Resource): string {
  const node = instance.singleAssigned;
  return node ? `${instance.id} on ${node.name}` : instance.id;
}

const standing = (instance: Resource): string => `${place(instance)} with ${formatScore(instance.promotionPriority)}`;
