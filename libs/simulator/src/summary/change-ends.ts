import type { Role } from '@systole/scheduler';
import type { DescribedChange } from './describe-changes.js';

/** Which roles and nodes the summary tells of a change; what goes without saying is left out (specification 08 §7.3). */
export interface ChangeEnds {
  readonly role?: Role;
  readonly nextRole?: Role;
  /** Where it stays, if `to` is absent; where it comes from otherwise. */
  readonly from?: string;
  readonly to?: string;
  /** It begins or ends here: there is only one end. */
  readonly single: boolean;
}

export function changeEnds({ role, nextRole, from, to }: DescribedChange): ChangeEnds {
  const needRole = role === 'Unpromoted' || role === 'Promoted' || nextRole === 'Promoted';
  const now = needRole ? { role } : {};
  const both = needRole ? { role, nextRole } : {};
  if (from === undefined) return { ...both, ...(to === undefined ? {} : { to }), single: true };
  if (to === undefined) return { ...now, from, single: true };
  if (role === nextRole) return from === to ? { ...now, from, single: false } : { ...now, from, to, single: false };
  return from === to ? { role, nextRole, from, single: false } : { role, nextRole, from, to, single: false };
}

/** The text between the parentheses of a summary line. */
export function changeDetails(change: DescribedChange): string {
  const { role, nextRole, from, to } = changeEnds(change);
  if (from === undefined) return role === undefined ? (to ?? '') : `${role} -> ${nextRole ?? role} ${to ?? ''}`;
  if (to === undefined) return role === undefined ? from : nextRole === undefined ? `${role} ${from}` : `${role} -> ${nextRole} ${from}`;
  if (role === undefined) return `${from} -> ${to}`;
  return nextRole === undefined ? `${from} -> ${to} ${role}` : `${role} ${from} -> ${nextRole} ${to}`;
}
