/** `RESOURCE_TASK_INTERVAL@NODE=RC`, as failures and results are named on a command line (specification 08 §8.4, §10.3). */
export interface OperationSpec {
  readonly resource: string;
  readonly task: string;
  /** Milliseconds. */
  readonly interval: number;
  readonly node: string;
  readonly rc: number;
}

/** A spec that can't be read, with the number of its parts (of three: operation, node, result) that could, or what is wrong with the first. */
export class InvalidOperationSpecError extends Error {
  override readonly name = 'InvalidOperationSpecError';

  constructor(reason: string) {
    super(`Invalid operation spec: ${reason}`);
  }
}

/** @throws {InvalidOperationSpecError} when a part is missing. */
export function parseOperationSpec(spec: string): OperationSpec {
  const [, key, node, rc] = /^([^@]+)(?:@([^=]+)(?:=(-?\d+))?)?/.exec(spec) ?? [];
  const fields = [key, node, rc].filter((part) => part !== undefined).length;
  const [, resource, task, interval] = /^(.+)_([^_]+(?:_(?:to|from))?)_(\d+)$/.exec(key ?? '') ?? [];
  if (node === undefined || rc === undefined) throw new InvalidOperationSpecError(`${spec}.  Only found ${fields} fields`);
  if (resource === undefined || task === undefined)
    throw new InvalidOperationSpecError(`${spec}.  "${key ?? ''}" is not RESOURCE_TASK_INTERVAL`);
  const migration = /^(.+)_(migrate)$/.exec(resource);
  const split = migration && /^(to|from)$/.test(task);
  return {
    resource: split ? (migration[1] ?? resource) : resource,
    task: split ? `migrate_${task}` : task,
    interval: Number(interval),
    node,
    rc: Number(rc),
  };
}
