import type { CibEvaluation } from '../document/cib-evaluation.js';
import type { CibIndex } from '../document/cib-index.js';
import type { RuleInput } from '../rules/rule-input.js';
import { parseBoolean } from '../scalars/boolean.js';
import { childrenNamed, firstChildNamed } from '../xml/element.js';
import type { XmlElement } from '../xml/element.js';

/** The `op` children of a resource, references resolved (specification 02 §2 step 3). */
export function operationsOf(index: CibIndex, resource: XmlElement): readonly XmlElement[] {
  const own = firstChildNamed(resource, 'operations');
  const resolved = own && index.resolve(own);
  return resolved ? childrenNamed(resolved, 'op') : [];
}

/** An `op` is disabled by its XML attribute only (specification 02 §11.1). */
export function isDisabledOperation(op: XmlElement): boolean {
  return parseBoolean(op.attributes['enabled']) === false;
}

/** The first `op` of that name and interval, ms (specification 02 §11.2). */
export function findOperation(
  evaluation: CibEvaluation,
  operations: readonly XmlElement[],
  name: string,
  interval: number,
  includeDisabled: boolean,
): XmlElement | undefined {
  const find = (wanted: string, ms: number): XmlElement | undefined =>
    operations.find(
      (op) =>
        op.attributes['name'] === wanted &&
        evaluation.interval(op.attributes['interval']) === ms &&
        (includeDisabled || !isDisabledOperation(op)),
    );
  return find(name, interval) ?? (name === 'migrate_to' || name === 'migrate_from' ? find('migrate', 0) : undefined);
}

/** What is asked for when an operation's meta-attributes are read. */
export interface OperationRequest {
  readonly name: string;
  /** ms; 0 for what runs once. */
  readonly interval: number;
  /** Its configuration, where there is one. */
  readonly op: XmlElement | undefined;
  /** All operations of the resource: a probe without a timeout takes that of the most frequent monitor. */
  readonly operations: readonly XmlElement[];
}

/** The meta-attributes of an operation as configured, nothing of them normalised yet (specification 01 §4.7). */
export function operationMeta(
  evaluation: CibEvaluation,
  { name, interval, op, operations }: OperationRequest,
  resource: RuleInput['resource'],
): Map<string, string> {
  const meta = new Map<string, string>();
  const input: RuleInput = { resource, operation: { name, interval } };
  if (op) {
    setAll(meta, op.attributes);
    if (op.children.length > 0) {
      evaluation.fill(op, 'meta_attributes', input, meta);
      setAll(meta, op.attributes);
    }
  }
  if (name === 'monitor' && interval === 0 && !meta.has('timeout')) {
    const timeout = mostFrequentMonitor(evaluation, operations)?.attributes['timeout'];
    if (timeout !== undefined) meta.set('timeout', timeout);
  }
  const defaults = evaluation.index.firstNamed('op_defaults');
  if (defaults) evaluation.fill(defaults, 'meta_attributes', input, meta);
  meta.delete('id');
  return meta;
}

function setAll(meta: Map<string, string>, attributes: XmlElement['attributes']): void {
  for (const name in attributes) meta.set(name, attributes[name] ?? '');
}

/** The enabled `monitor` of the smallest interval; its timeout is the default of probes. */
function mostFrequentMonitor(evaluation: CibEvaluation, operations: readonly XmlElement[]): XmlElement | undefined {
  let best: XmlElement | undefined;
  let smallest = Infinity;
  for (const op of operations) {
    if (op.attributes['name'] !== 'monitor' || isDisabledOperation(op)) continue;
    const interval = evaluation.interval(op.attributes['interval']);
    if (interval > 0 && interval < smallest) {
      smallest = interval;
      best = op;
    }
  }
  return best;
}
