import type { AgentTrouble } from '@systole/protocol';
import type { NodeState } from '../state.js';

/** What keeps this node from doing its work, for the server to show; empty when nothing does. */
export function troublesOf({ journal, settings }: NodeState): readonly AgentTrouble[] {
  const { blocked, ahead } = journal;
  const troubles: AgentTrouble[] = [];
  if (blocked !== undefined) troubles.push({ code: 'journal-unwritable', detail: `nothing is begun: ${blocked.problem}` });
  const last = ahead.refused.at(-1);
  if (last !== undefined) {
    const detail = `${ahead.refused.length} result(s) set aside; the last one, of ${last.actionId}: ${last.problem}`;
    troubles.push({ code: 'result-refused', detail: detail.slice(0, 1_000) });
  }
  if (settings.onLeaseLoss !== undefined && ahead.onLeaseLoss !== undefined && ahead.onLeaseLoss !== settings.onLeaseLoss) {
    troubles.push({ code: 'lease-loss-overridden', detail: `told ${ahead.onLeaseLoss}, set to ${settings.onLeaseLoss}` });
  }
  return troubles;
}
