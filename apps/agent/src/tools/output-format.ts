import { element, serializeXml, type XmlElement } from '@systole/cib';
import { carriableText } from '@systole/protocol';
import { type OptionSpec, parseArguments, type ParsedArguments, value } from './arguments.js';
import { EXIT_CODES } from './error-codes.js';
import { failedResult } from './failures.js';
import { inDirectory } from './input.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster, type ToolResult } from './tool.js';

/** What a tool answers, for people and, in XML, for programs. */
export interface Answer extends ToolResult {
  /** Blocks within `pacemaker-result`, each indented by two blanks; absent: what it says is for people only, and programs are told how it ended. */
  readonly xml?: readonly string[];
}

type Answering = (parsed: ParsedArguments, call: ToolCall, cluster: ToolCluster) => Promise<Answer>;

const FORMATS: readonly OptionSpec[] = [value('outputAs', '--output-as'), value('outputTo', '--output-to')];

/** Version of the output's form, as Pacemaker 2.1.5 counts it: what those who read it know. */
const API_VERSION = '2.25';

/** A tool that answers as text or, with `--output-as=xml`, as XML, on standard output or, with `--output-to`, to a file of its caller. */
export function inFormats(specs: readonly OptionSpec[], answer: Answering): (call: ToolCall, cluster: ToolCluster) => Promise<ToolResult> {
  return async (call, cluster) => {
    const parsed = parseArguments(call.args, [...specs, ...FORMATS]);
    const { outputAs = 'text', outputTo = '-' } = parsed.options;
    if (outputAs !== 'text' && outputAs !== 'xml')
      throw new ToolFailure(
        EXIT.ERROR,
        `Error creating output format ${outputAs}: Unknown output format\nError performing operation: Error occurred`,
      );
    if (outputTo !== '-' && call.caller === undefined) throw new ToolFailure(EXIT.UNIMPLEMENTED, `${outputTo} can't be written here`);
    const { xml = [], ...text } = await answer(parsed, call, cluster).catch((error: unknown): Answer => {
      if (outputAs === 'xml' || outputTo !== '-') return failedResult(call, error);
      throw error;
    });
    const result = outputAs === 'text' ? text : inXml(call, text, xml);
    if (outputTo === '-') return result;
    call.caller?.create(inDirectory(call, outputTo), result.stdout);
    return { ...result, stdout: '' };
  };
}

/** What went wrong stands in the result; what is only complained of is for people, as it is. */
function inXml({ tool, args }: ToolCall, { stderr, exitCode }: ToolResult, blocks: readonly string[]): ToolResult {
  const [, , message = 'Unknown exit status'] = EXIT_CODES.find(([code]) => code === exitCode) ?? [];
  const frame = opened(element('pacemaker-result', { 'api-version': API_VERSION, request: carriableText([tool, ...args].join(' ')) }));
  const status = element('status', { code: String(exitCode), message });
  const isFailed = exitCode !== EXIT.OK && stderr !== '';
  const errors = `  ${opened(status)}\n    <errors>\n      ${textElement('error', {}, stderr.trimEnd())}\n    </errors>\n  </status>\n`;
  return {
    stdout: `${frame}\n${blocks.join('')}${isFailed ? errors : serializeXml(status, '  ')}</pacemaker-result>\n`,
    stderr: isFailed ? '' : stderr,
    exitCode,
  };
}

/** An element's start tag. */
function opened(one: XmlElement): string {
  return serializeXml(one).trimEnd().replace(/\/>$/, '>');
}

/** An element that holds text alone, on one line, without its indentation. */
export function textElement(name: string, attributes: Readonly<Record<string, string>>, text: string): string {
  const shown = carriableText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `${opened(element(name, attributes))}${shown}</${name}>`;
}

/** Elements of text in one that holds nothing else, as a block. */
export function textBlock(holder: XmlElement, items: readonly string[]): string {
  if (items.length === 0) return serializeXml(holder, '  ');
  return `  ${opened(holder)}\n${items.map((item) => `    ${item}\n`).join('')}  </${holder.name}>\n`;
}

/** A list with its items, as a block. */
export function listBlock(name: string, items: readonly { readonly name?: string; readonly text: string }[]): string {
  const holder = element('list', { name, count: String(items.length) });
  return textBlock(
    holder,
    items.map((item) => textElement('item', item.name === undefined ? {} : { name: item.name }, item.text)),
  );
}

/** Text that is XML itself, or whatever, as it is. */
export function cdata(text: string): string {
  // The end of such a section can't stand in one.
  return `<![CDATA[${carriableText(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** Whether a call asks for XML: what is worked out elsewhere is worked out in that form only. */
export function isInXml({ options }: ParsedArguments): boolean {
  return options['outputAs'] === 'xml';
}

/** Elements as blocks. */
export function blocks(...elements: readonly XmlElement[]): readonly string[] {
  return elements.map((one) => serializeXml(one, '  '));
}
