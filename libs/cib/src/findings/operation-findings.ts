import { OPERATION_NAMES, OPERATIONS_THAT_HAPPEN_ONCE } from '../options/attribute-definitions.js';
import { mistypedName } from '../options/near-matches.js';
import { parseInterval } from '../scalars/interval.js';
import { childrenNamed, type XmlElement } from '../xml/element.js';
import type { ConfigurationFinding } from './finding.js';

/** So much of a name is shown, characters. */
const LONGEST_SHOWN = 80;
const KNOWN: ReadonlySet<string> = new Set(OPERATION_NAMES);

/** What is wrong with an operation, and which element has it. */
export interface OperationFinding extends Pick<
  ConfigurationFinding,
  'kind' | 'level' | 'attribute' | 'message' | 'meanwhile' | 'suggestion'
> {
  readonly at: XmlElement;
}

/**
 * Names of operations that are most likely mistyped (an agent may have operations of its own), and those that recur and never do, or are there
 * twice (specification 02 §11.3).
 */
export function* operationFindings(operations: XmlElement): Generator<OperationFinding> {
  const first = new Map<string, XmlElement>();
  for (const op of childrenNamed(operations, 'op')) {
    const { name, interval } = op.attributes;
    if (name === undefined) continue;
    const meant = KNOWN.has(name) || name.length > LONGEST_SHOWN ? undefined : mistypedName(name, OPERATION_NAMES);
    if (meant !== undefined) {
      yield {
        ...{ at: op, kind: 'unknown-operation', level: 'error', attribute: 'name', suggestion: meant },
        message: `name: the operation ${name} is not known: did you mean ${meant}?`,
        meanwhile: `it says nothing of ${meant}`,
      };
    }
    const ms = parseInterval(interval) ?? 0;
    if (ms <= 0) continue;
    if (OPERATIONS_THAT_HAPPEN_ONCE.has(name)) {
      yield {
        ...{ at: op, kind: 'idle-operation', level: 'error', attribute: 'interval', suggestion: '0' },
        message: `interval: ${name} happens once and does not recur: use 0, or leave the interval out`,
        meanwhile: 'the operation counts as not there',
      };
    }
    const key = JSON.stringify([name, ms]);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, op);
    else {
      yield {
        ...{ at: op, kind: 'repeated-operation', level: 'error', attribute: 'interval' },
        message: `interval: ${earlier.attributes['id'] ?? 'an operation before it'} is ${name.slice(0, LONGEST_SHOWN)} with the same interval: give each its own, e.g. one of 11s beside one of 10s`,
        meanwhile: 'none of them recurs',
      };
    }
  }
}
