import type { components } from '@systole/api-client';
import type { VNode } from 'preact';
import type { OperatorCommand } from '../model/command.js';
import { clock } from '../model/clock.js';

interface FailuresProps {
  readonly status: components['schemas']['StatusDto'];
  readonly onCommand: (command: OperatorCommand) => void;
}

export function Failures({ status: { failures }, onCommand }: FailuresProps): VNode | null {
  if (failures.length === 0) return null;
  return (
    <section class="card" aria-labelledby="failures-title">
      <h2 id="failures-title">Failed operations</h2>
      <ul class="failures">
        {failures.map(({ resource, node, operation, intervalMs, rc, exitReason, at }) => (
          <li key={`${resource} ${node} ${operation} ${intervalMs}`}>
            <span class="what">
              <strong>{resource}</strong> {operation}
              {intervalMs > 0 ? ` every ${intervalMs / 1_000} s` : ''} on <strong>{node}</strong>
              <span class="quiet">
                {' '}
                return code {rc}
                {exitReason === undefined ? '' : `: ${exitReason}`}
                {at === undefined ? '' : `, ${clock(at)}`}
              </span>
            </span>
            <button
              type="button"
              class="small"
              onClick={() => {
                onCommand({ kind: 'cleanup', resource, node });
              }}
            >
              Cleanup
              <span class="visually-hidden">
                {' '}
                {resource} on {node}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
