import { parseBoolean } from '../scalars/boolean.js';
import { childElements, element } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';
import { withAttributes } from '../xml/rewrite.js';
import { newBoolean, newRole, newScore, withNewNames, withNewValues } from './from-0-attributes.js';
import type { UpgradeLog } from './upgrade-log.js';

/** A rule, of a constraint or of a set. */
export function upgradeRule(rule: XmlElement, ancestors: readonly string[], log: UpgradeLog): XmlElement {
  const renamed = withNewNames(rule, { score_attribute: 'score-attribute', boolean_op: 'boolean-op' }, log);
  const scored = withNewValues(withNewValues(renamed, ['score'], newScore, log), ['role'], newRole, log);
  const written = withNewValues(scored, ['boolean-op'], (value) => value.toLowerCase(), log);
  if (written.attributes['id-ref'] !== undefined || childElements(written).length > 0 || ancestors.at(-1) === 'rule') return written;
  log.rewritten(rule, 'it had no condition, and applied everywhere: it has one now that holds for every node');
  const { id = 'rule' } = written.attributes;
  const everywhere = element('expression', { id: `${id}-everywhere`, attribute: '#uname', operation: 'defined' });
  return { ...written, children: [...written.children, everywhere] };
}

export function upgradeCondition(expression: XmlElement, log: UpgradeLog): XmlElement {
  const { operation = '', value } = expression.attributes;
  if (value === undefined || !operation.trim().endsWith('defined')) return expression;
  log.dropped(expression, `value="${value}": ${operation} compares with nothing`);
  return withAttributes(expression, { value: undefined });
}

export function upgradeLocation(constraint: XmlElement, log: UpgradeLog): XmlElement {
  return withNewValues(withNewValues(constraint, ['score'], newScore, log), ['role'], newRole, log);
}

const COLOCATION: Readonly<Record<string, string>> = {
  from: 'rsc',
  to: 'with-rsc',
  from_role: 'rsc-role',
  to_role: 'with-rsc-role',
  node_attribute: 'node-attribute',
  score_attribute: 'score-attribute',
};

/** `from` was placed where `to` was. */
export function upgradeColocation(constraint: XmlElement, log: UpgradeLog): XmlElement {
  const renamed = withNewNames(constraint, COLOCATION, log);
  const written = withNewValues(withNewValues(renamed, ['score'], newScore, log), ['rsc-role', 'with-rsc-role'], newRole, log);
  const { symmetrical } = written.attributes;
  if (symmetrical === undefined) return written;
  if (parseBoolean(symmetrical.trim()) === false) log.dropped(constraint, `symmetrical="${symmetrical}": no colocation is`);
  else {
    log.check(
      constraint,
      `symmetrical="${symmetrical}" is left out: a colocation places rsc by where with-rsc is, and never the other way round. Where with-rsc must not run without rsc either, put both into a group`,
    );
  }
  return withAttributes(written, { symmetrical: undefined });
}

/** An order without the older attributes. */
const NONE = { from: undefined, to: undefined, type: undefined, action: undefined, to_action: undefined };

/** With `type="after"`, which is meant where none is given, `from` did its action after `to` had done its own. */
export function upgradeOrder(constraint: XmlElement, log: UpgradeLog): XmlElement {
  const written = withNewValues(withNewValues(constraint, ['score'], newScore, log), ['symmetrical'], newBoolean, log);
  const { from, to, type, action, to_action: toAction } = written.attributes;
  const given = Object.entries({ from, to, type, action, to_action: toAction }).filter(([, value]) => value !== undefined);
  const [one] = given[0] ?? [];
  if (one === undefined) return written;
  const newer = ['first', 'then', 'first-action', 'then-action'].filter((name) => written.attributes[name] !== undefined);
  const kind = (type ?? 'after').trim().toLowerCase();
  const wrong =
    newer.length > 0
      ? `${shown(given)} is given beside ${newer.join(' and ')}, the newer names of the same: leave one kind out`
      : from === undefined || to === undefined
        ? `${shown(given)}: an order needs both from and to`
        : kind === 'after' || kind === 'before'
          ? undefined
          : `${shown(given)}: the type is neither before nor after`;
  if (wrong !== undefined) {
    log.refuse(constraint, one, wrong);
    return withAttributes(written, newer.length > 0 ? NONE : { ...NONE, first: to, then: from });
  }
  const other = toAction ?? action;
  const ordered =
    kind === 'after'
      ? { first: to, 'first-action': other, then: from, 'then-action': action }
      : { first: from, 'first-action': action, then: to, 'then-action': other };
  log.rewritten(constraint, `${shown(given)} is ${shown(Object.entries(ordered))} now`);
  if (action === undefined && toAction !== undefined && toAction !== 'start') {
    log.check(
      constraint,
      `to_action="${toAction}" was given without an action, which was start: see that the order is the one that is meant`,
    );
  } else if (action !== undefined && toAction === undefined && action !== 'start') {
    log.check(constraint, `action="${action}" was given without a to_action: it counts as the action of both`);
  }
  const start = action === undefined && toAction !== undefined ? { [kind === 'after' ? 'then-action' : 'first-action']: 'start' } : {};
  return withAttributes(written, { ...NONE, ...ordered, ...start });
}

function shown(pairs: readonly (readonly [string, string | undefined])[]): string {
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`])).join(' ');
}
