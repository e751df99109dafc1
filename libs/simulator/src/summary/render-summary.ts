import { Listing } from '../status/listing.js';
import { changeDetails } from './change-ends.js';
import type { DescribedChange, DescribedFencing, DescribedTransition } from './describe-changes.js';

/** The transition summary as text (specification 08 §7). */
export function renderSummary({ nodes, resources }: DescribedTransition): string {
  const listing = new Listing();
  listing.list('Transition Summary', () => {
    for (const node of nodes) listing.item(nodeLine(node));
    const lines = resources.map((change) => ({ change, details: changeDetails(change) }));
    const { idWidth, detailsWidth } = columns(lines);
    for (const line of lines) listing.item(resourceLine(line, idWidth, detailsWidth));
  });
  return listing.text();
}

function nodeLine({ kind, action, node, reason }: DescribedFencing): string {
  return `${kind}${action === undefined ? '' : ` (${action})`} ${node} '${reason}'`;
}

interface SummaryLine {
  readonly change: DescribedChange;
  readonly details: string;
}

/** Widths in bytes. The first column grows by two more than an id needs, so it depends on the order of the lines. */
function columns(lines: readonly SummaryLine[]): { idWidth: number; detailsWidth: number } {
  let idWidth = 5;
  let detailsWidth = 5;
  for (const { change, details } of lines) {
    const length = byteLength(change.resource);
    if (length > idWidth) idWidth = length + 2;
    detailsWidth = Math.max(detailsWidth, byteLength(details));
  }
  return { idWidth, detailsWidth };
}

function resourceLine({ change, details }: SummaryLine, idWidth: number, detailsWidth: number): string {
  const { verb, resource, reason, blocked } = change;
  const id = resource + ' '.repeat(idWidth - Math.min(idWidth, byteLength(resource)));
  const text = ' '.repeat(detailsWidth - byteLength(details)) + details;
  const why = reason === undefined ? (blocked ? '  blocked' : '') : `  due to ${reason}${blocked ? ' (blocked)' : ''}`;
  return `${verb.padEnd(8)}   ${id}   ( ${text} )${why}`;
}

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;
