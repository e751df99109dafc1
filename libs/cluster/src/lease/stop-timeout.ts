import { configurationOf, type Configuration, type Operation, type Primitive, type XmlElement } from '@systole/cib';
import { durationMs } from '../state/duration.js';

const DEFAULT_MS = 20_000;

/**
 * The stop time-out of a primitive, ms: that of its `op name="stop"` (its own or its template's), else of `op_defaults`, else 20 s; without regard to
 * rules. For the time that passes without the scheduler: what a node that lost its lease needs to stop its resources.
 *
 * @param resource id of a primitive or of an instance of it (`web:0`)
 */
export function stopTimeoutMs(cib: XmlElement, resource: string): number {
  const configuration = configurationOf(cib);
  const placed = configuration.resourcesById.get(resource) ?? configuration.resourcesById.get(resource.replace(/:\d+$/, ''));
  const configured = placed?.resource.kind === 'primitive' ? ofStop(placed.resource, configuration) : undefined;
  return durationMs(configured ?? byDefault(configuration), DEFAULT_MS);
}

function ofStop(primitive: Primitive, { templates }: Configuration): string | undefined {
  const template = primitive.template === undefined ? undefined : templates.find(({ id }) => id === primitive.template);
  return timeoutIn(primitive.operations) ?? timeoutIn(template?.operations ?? []);
}

function timeoutIn(operations: readonly Operation[]): string | undefined {
  const stop = operations.find(({ name }) => name === 'stop');
  return stop?.timeout ?? stop?.meta.flatMap(({ pairs }) => pairs).find(({ name }) => name === 'timeout')?.value;
}

function byDefault({ operationDefaults }: Configuration): string | undefined {
  return operationDefaults.flatMap(({ pairs }) => pairs).find(({ name }) => name === 'timeout')?.value;
}
