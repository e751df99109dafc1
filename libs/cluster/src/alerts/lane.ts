import type { AlertLane } from '../events/alerts.js';

type Lane = Omit<AlertLane, 'run'>;

/** The same for what runs on a node for the same alert and recipient. */
export function laneName({ node, ...of }: Lane): string {
  return JSON.stringify([recipientName(of), node]);
}

/** The same for the same recipient of an alert, wherever it runs. */
export function recipientName({ alert, recipient }: { readonly alert: string; readonly recipient?: string | undefined }): string {
  return JSON.stringify([alert, recipient]);
}
