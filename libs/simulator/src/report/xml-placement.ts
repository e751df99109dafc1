import { LongText } from '@systole/cib';
import type { PlacementEntry, ScoreEntry, UtilizationEntry } from '@systole/scheduler';
import { attributesText, escapeValue } from '../graph/xml-text.js';
import { scoreText, UTILIZATION_FUNCTION } from '../scores/render-scores.js';
import type { ReportOptions } from './report-options.js';

/**
 * The section on scores and utilization of the XML report, named after what it holds, indented by two blanks.
 *
 * @param longest how many characters it may have; by default as many as a string can.
 * @throws {XmlError} `too-large` when it has more: names may be of any length.
 */
export function placementXml(entries: readonly PlacementEntry[], { scores, utilization }: ReportOptions, longest?: number): string {
  const name = scores && utilization ? 'allocations_utilizations' : scores ? 'allocations' : 'utilizations';
  // Notes are for people.
  const shown = entries.filter((entry): entry is ScoreEntry | UtilizationEntry => !('note' in entry));
  if (shown.length === 0) return `  <${name}/>\n`;
  const text = new LongText(longest);
  text.add(`  <${name}>\n`);
  for (const entry of shown) text.add('score' in entry ? scoreXml(entry) : utilizationXml(entry));
  text.add(`  </${name}>\n`);
  return text.toString();
}

function scoreXml({ phase, resource, node, score: number }: ScoreEntry): string {
  const score = scoreText(number);
  if (phase !== 'promotion') return `    <node_weight${attributesText({ function: phase, node, score, id: resource })}/>\n`;
  return `    <promotion_score${attributesText({ id: resource, score, node: node === '' ? undefined : node })}/>\n`;
}

/** Each attribute is an element of its own, with the amount as its text. */
function utilizationXml({ moment, resource, node, amounts }: UtilizationEntry): string {
  const [name, attributes] =
    moment === 'assigned'
      ? (['utilization', { resource, node, function: UTILIZATION_FUNCTION }] as const)
      : (['capacity', { node, comment: moment === 'original' ? 'Original' : 'Remaining' }] as const);
  const tag = `    <${name}${attributesText(attributes)}`;
  if (amounts.length === 0) return `${tag}/>\n`;
  const lines = amounts.map((amount) => {
    const child = elementName(amount.name);
    return `      <${child}>${escapeValue(amount.value)}</${child}>\n`;
  });
  return `${tag}>\n${lines.join('')}    </${name}>\n`;
}

/** A utilization attribute may be called anything; an element may not. */
function elementName(text: string): string {
  return text.replace(/^(?![A-Z_a-z])/, '_').replace(/[^\w.-]/g, '_');
}
