import type { ExecutionEvent } from '@systole/simulator';
import type { StepDto } from './what-if.dto.js';

/** What was carried out in thought, as it is shown: what only orders the rest, and the attributes in which failures are counted, are left out. */
export function carriedOutSteps(executed: readonly ExecutionEvent[]): readonly StepDto[] {
  return executed.flatMap((event, index): readonly StepDto[] => {
    switch (event.kind) {
      case 'fencing':
        return [{ operation: event.action, node: event.node, fencing: true }];
      case 'cluster-action':
        return [{ operation: event.operation, node: event.node, ...(event.resource === undefined ? {} : { resource: event.resource }) }];
      case 'resource-action': {
        const { operation, node, resource, interval } = event;
        const next = executed[index + 1];
        // Told right after the operation that fails.
        const rc = next?.kind === 'pretended-failure' ? { rc: next.rc } : {};
        return [{ operation, node, resource, ...(interval === 0 ? {} : { intervalMs: interval }), ...rc }];
      }
      case 'pretended-failure':
      case 'pseudo-action':
      case 'attribute-injected':
      case 'error':
        return [];
    }
  });
}
