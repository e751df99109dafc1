import type { components } from '@systole/api-client';
import type { VNode } from 'preact';
import { sortedActions } from '../model/explanation.js';
import { Badge } from './badge.js';

type Explanation = components['schemas']['ExplanationDto'];
type Action = components['schemas']['ActionExplanationDto'];

/** Actions, each with the chain of its reasons; what follows as a matter of course is folded away. */
export function Reasons({ explanation: { placements, actions, moreActions } }: { readonly explanation: Explanation }): VNode {
  const { main, rest } = sortedActions(actions, placements);
  return (
    <>
      {main.length === 0 && <p class="quiet pad">Nothing is to be started, stopped or moved.</p>}
      {main.length > 0 && <ActionList actions={main} />}
      {rest.length > 0 && (
        <details class="pad">
          <summary>{rest.length} probes, monitors, notifications and steps of groups, clones and bundles</summary>
          <ActionList actions={rest} />
        </details>
      )}
      {moreActions !== undefined && <p class="quiet pad">And {moreActions} more actions.</p>}
    </>
  );
}

function ActionList({ actions }: { readonly actions: readonly Action[] }): VNode {
  return (
    <ul class="reasons">
      {actions.map(({ id, name, state, because }) => (
        <li key={id}>
          <strong>{name}</strong> {state === 'blocked' && <Badge mood="bad">blocked</Badge>}
          <ol>
            {because.map(({ text }, depth) => (
              <li key={depth} class={`step-${Math.min(depth, 4)}`}>
                {text}
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ul>
  );
}
