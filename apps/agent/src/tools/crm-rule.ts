import {
  CibIndex,
  DATE_SPEC_FIELDS,
  dateFields,
  descendants,
  element,
  evaluateRule,
  firstChildNamed,
  parseDateRange,
  parseDateTime,
  utc,
  type DateTime,
  type XmlElement,
} from '@systole/cib';
import { flag, type OptionSpec, type ParsedArguments, value } from './arguments.js';
import { parsedXml, standardInput } from './input.js';
import { type Answer, blocks, inFormats } from './output-format.js';
import { EXIT, ToolFailure, type ToolCall, type ToolCluster } from './tool.js';

const OPTIONS: readonly OptionSpec[] = [
  flag('check', '-c', '--check'),
  value('xml', '-X', '--xml-text'),
  value('date', '-d', '--date'),
  value('rule', '-r', '--rule'),
  flag('verbose', '-V', '--verbose'),
];

/** `crm_rule --check`: whether rules with one date expression are in effect, are over, or are to come. */
export const crmRule = inFormats(OPTIONS, check);

/** Asked for in one call. What is asked for once more takes no time, and counts. */
const MOST_RULES = 100;

interface Checked {
  readonly rule: string;
  readonly exitCode: number;
  /** What is said of it, with the code 0 and where it is not the time. */
  readonly words?: string;
  /** Why nothing can be said. */
  readonly trouble?: string;
}

async function check({ options, given, operands }: ParsedArguments, call: ToolCall, cluster: ToolCluster): Promise<Answer> {
  const [stranger] = operands;
  if (stranger !== undefined) throw new ToolFailure(EXIT.USAGE, `what is '${stranger}' for? crm_rule takes options only`);
  if (options['check'] === undefined) throw new ToolFailure(EXIT.USAGE, 'No mode operation given');
  const ids = given.flatMap(([name, id]) => (name === 'rule' ? [id] : []));
  if (ids.length === 0) throw new ToolFailure(EXIT.USAGE, '--check requires use of --rule=');
  if (ids.length > MOST_RULES) throw new ToolFailure(EXIT.USAGE, `no more than ${MOST_RULES} rules are checked at once`);
  const at = momentIn(options['date']);
  const document = parsedXml(await sourceOf(options['xml'], call, cluster), EXIT.DATA);
  const wanted = new Set(ids);
  const rules = rulesOf(document, wanted);
  const index = new CibIndex(document);
  const outcomes = new Map([...wanted].map((id) => [id, checkedRule(id, rules.get(id) ?? [], index, at)]));
  const checked = ids.flatMap((id) => outcomes.get(id) ?? []);
  return {
    stdout: checked.flatMap(({ rule, words }) => (words === undefined ? [] : [`Rule ${rule} ${words}\n`])).join(''),
    stderr: checked
      .flatMap(({ rule, trouble }) =>
        trouble === undefined ? [] : [`Could not determine whether rule ${rule} is in effect: ${trouble}\n`],
      )
      .join(''),
    exitCode: checked.at(-1)?.exitCode ?? EXIT.OK,
    xml: blocks(...checked.map(({ rule, exitCode }) => element('rule-check', { 'rule-id': rule, rc: String(exitCode) }))),
  };
}

function momentIn(text: string | undefined): DateTime {
  const now = utc(Math.floor(Date.now() / 1_000));
  if (text === undefined) return now;
  const found = parseDateTime(text, { today: now });
  if (found === undefined) throw new ToolFailure(EXIT.DATA, `Invalid date specified: '${text}'`);
  return found;
}

function sourceOf(text: string | undefined, call: ToolCall, cluster: ToolCluster): Promise<string> {
  if (text === undefined) return cluster.cib();
  return text === '-' ? standardInput(call) : Promise.resolve(text);
}

/** The rules that are asked for, by their ids: the document is looked through once. */
function rulesOf(document: XmlElement, wanted: ReadonlySet<string>): ReadonlyMap<string, readonly XmlElement[]> {
  const found = new Map<string, XmlElement[]>();
  for (const one of descendants(document)) {
    const { id } = one.attributes;
    if (one.name !== 'rule' || id === undefined || !wanted.has(id)) continue;
    const same = found.get(id);
    if (same === undefined) found.set(id, [one]);
    else same.push(one);
  }
  return found;
}

function checkedRule(rule: string, found: readonly XmlElement[], index: CibIndex, at: DateTime): Checked {
  const [only] = found;
  if (only === undefined) return { rule, exitCode: EXIT.NO_SUCH, trouble: 'Rule not found' };
  if (found.length > 1) return { rule, exitCode: EXIT.MULTIPLE, trouble: 'Found more than one rule with matching ID' };
  const dates = [...descendants(only)].filter(({ name }) => name === 'date_expression');
  const [date] = dates;
  const unable = (trouble: string): Checked => ({ rule, exitCode: EXIT.UNIMPLEMENTED, trouble });
  if (date === undefined) return unable('Rule does not have a date expression');
  if (dates.length > 1) return unable('Rule has more than one date expression');
  if (date.attributes['operation'] === 'date_spec') {
    const spec = firstChildNamed(date, 'date_spec');
    if (spec?.attributes['years'] === undefined || spec.attributes['moon'] !== undefined)
      return unable('Rule must either not use date_spec, or use date_spec with years= but not moon=');
  }
  return timeOf(rule, date, index, at);
}

/** Of the conditions only the date counts: whether it holds now, and, where it does not, whether it will. */
function timeOf(rule: string, date: XmlElement, index: CibIndex, now: DateTime): Checked {
  const spec = date.attributes['operation'] === 'date_spec' ? firstChildNamed(date, 'date_spec') : undefined;
  let isToCome = spec !== undefined && isSpecToCome(spec, now);
  const scope = {
    index,
    now,
    onRecheck: () => {
      isToCome = true;
    },
  };
  const holds = evaluateRule(element('rule', { id: rule }, [date]), {}, scope);
  if (holds) return { rule, exitCode: EXIT.OK, words: spec === undefined ? 'is still in effect' : 'satisfies conditions' };
  if (!isReadable(date, spec, now)) return { rule, exitCode: EXIT.INDETERMINATE, trouble: 'Error parsing rule' };
  return isToCome
    ? { rule, exitCode: EXIT.NOT_YET, words: 'has not yet taken effect' }
    : { rule, exitCode: EXIT.EXPIRED, words: 'is expired' };
}

const BOUNDS: Readonly<Record<string, readonly ('start' | 'end')[]>> = { gt: ['start'], lt: ['end'], in_range: ['start', 'end'] };

/** What can't be read never holds. */
function isReadable({ attributes }: XmlElement, spec: XmlElement | undefined, now: DateTime): boolean {
  if (spec !== undefined) return DATE_SPEC_FIELDS.every((field) => isRange(spec.attributes[field]));
  const bounds = BOUNDS[attributes['operation']?.toLowerCase() ?? 'in_range'] ?? [];
  const given = bounds.flatMap((name) => attributes[name] ?? []);
  return given.length > 0 && given.every((text) => parseDateTime(text, { today: now }) !== undefined);
}

function isRange(text: string | undefined): boolean {
  return text === undefined || parseDateRange(text) !== undefined;
}

/** The first field, from years to seconds, that does not hold tells; one that is over comes again in a later year that is meant, too. */
function isSpecToCome(spec: XmlElement, now: DateTime): boolean {
  const values = dateFields(now);
  const rangeOf = (field: string) => parseDateRange(spec.attributes[field] ?? '-') ?? { low: -Infinity, high: Infinity };
  const failing = DATE_SPEC_FIELDS.find((field) => values[field] < rangeOf(field).low || values[field] > rangeOf(field).high);
  if (failing === undefined) return false;
  return values[failing] < rangeOf(failing).low || (failing !== 'years' && values.years < rangeOf('years').high);
}
