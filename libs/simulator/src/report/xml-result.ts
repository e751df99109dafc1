import { attributesText, escapeValue } from '../graph/xml-text.js';
import type { ReportEnd } from './report-options.js';

/** Version of the output's form, as the reference counts it. */
const API_VERSION = '2.38';

/**
 * The XML output of the reference's programs, in blocks: a frame around sections. All together may be longer than a string can be.
 *
 * @param request the command line.
 * @param sections each indented by two blanks.
 * @param version of the output's form.
 */
export function xmlResult(
  request: string,
  sections: readonly string[],
  { exitCode, message, errors }: ReportEnd,
  version = API_VERSION,
): string[] {
  const status = `  <status${attributesText({ code: exitCode, message })}`;
  return [
    `<pacemaker-result${attributesText({ 'api-version': version, request })}>\n`,
    ...sections,
    ...(errors.length === 0 ? [`${status}/>\n`] : [`${status}>\n    <errors>\n`, ...errors.map(errorLine), '    </errors>\n  </status>\n']),
    '</pacemaker-result>\n',
  ].map(representable);
}

/** What no XML can hold, not even escaped: it comes from the command line, and is shown as U+FFFD (specification 08 §10.1). */
function representable(block: string): string {
  return block.replace(/&#x(?:0[0-8BCEF]|1[\dA-F]);|[\uFFFE\uFFFF]|\p{Cs}/gu, '\uFFFD');
}

const errorLine = (text: string): string => `      <error>${escapeValue(text)}</error>\n`;

/** An empty element. */
export function xmlTag(name: string, attributes: Readonly<Record<string, string>>): string {
  return `<${name}${attributesText(attributes)}/>`;
}
