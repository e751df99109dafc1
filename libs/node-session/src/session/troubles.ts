import type { AgentTrouble } from '@systole/protocol';
import { problemOf } from '../journal/queue.js';
import type { NodeState } from '../state.js';

/** What keeps this node from doing its work, for the server to show; empty when nothing does. */
export function troublesOf({ journal, settings, loaded, loadThreshold }: NodeState): readonly AgentTrouble[] {
  const { hanging, ahead } = journal;
  const unwritable = problemOf(journal);
  const troubles: AgentTrouble[] = [];
  if (unwritable !== undefined) {
    const code = hanging === undefined ? 'journal-unwritable' : 'journal-hanging';
    troubles.push({ code, detail: `nothing but stops and monitors is begun: ${unwritable}` });
  }
  if (ahead.stopFailed.size > 0) {
    troubles.push({
      code: 'stop-failed',
      detail: `could not be stopped when everything had to be: ${[...ahead.stopFailed].join(', ')}`.slice(0, 1_000),
    });
  }
  const last = ahead.refused.at(-1);
  if (last !== undefined) {
    const detail = `${ahead.refused.length} result(s) set aside; the last one, of ${last.actionId}: ${last.problem}`;
    troubles.push({ code: 'result-refused', detail: detail.slice(0, 1_000) });
  }
  if (settings.onLeaseLoss !== undefined && ahead.onLeaseLoss !== undefined && ahead.onLeaseLoss !== settings.onLeaseLoss) {
    troubles.push({ code: 'lease-loss-overridden', detail: `told ${ahead.onLeaseLoss}, set to ${settings.onLeaseLoss}` });
  }
  if (loaded && loadThreshold !== undefined) {
    troubles.push({
      code: 'high-load',
      detail: `the load is above the load-threshold of ${String(loadThreshold)}%: half as many actions are begun at a time`,
    });
  }
  return troubles;
}
