import { parseXml, readCib, serializeXml, element, type Cib } from '@systole/cib';
import { printableLines, withoutLineFeeds } from '@systole/protocol';
import { readState } from '@systole/scheduler';
import {
  factsIn,
  monitorDocument,
  monitorLine,
  monitorText,
  type FencingRecord,
  type MonitorSection,
  type MonitorSelection,
  type MonitorTextOptions,
} from '@systole/simulator';
import { xmlAnswerTo } from './resource-answers-xml.js';
import { answerTo, type ResourceQuestion } from './resource-questions.js';
import { unfinished } from './unfinished.js';

/** What a status is to be shown as. */
export type MonitorForm =
  | { readonly kind: 'text'; readonly sections: readonly MonitorSection[]; readonly options: Omit<MonitorTextOptions, 'sections'> }
  /** `pacemaker-result`, as `--output-as=xml`. */
  | { readonly kind: 'xml' }
  /** `crm_mon`, as `--as-xml` of old. */
  | { readonly kind: 'old-xml'; readonly version: string }
  | { readonly kind: 'line' }
  /** What is in progress or still to be done, one action a line. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'resources'; readonly question: ResourceQuestion; readonly inXml?: boolean };

/** A status to be worked out: that takes the reading of the whole cluster. */
export interface MonitorTask {
  /** The CIB as XML. */
  readonly cib: string;
  /** Epoch seconds. */
  readonly now: number;
  /** The command line that the answer repeats. */
  readonly request: string;
  readonly form: MonitorForm;
  /** How nodes are being fenced and were, the newest first; absent where that was not asked for. */
  readonly fencing?: readonly FencingRecord[];
  /** Names of nodes that are shown, ids of resources that were asked for; all when undefined. */
  readonly nodes?: readonly string[];
  readonly resources?: readonly string[];
}

export interface MonitorAnswer {
  readonly text: string;
  /** The same in XML, as blocks of a `pacemaker-result`; of resources only. */
  readonly xml?: readonly string[];
  /** Whether everybody is there; said by a line only. */
  readonly isWell?: boolean;
  /** There is no such resource. */
  readonly isUnknown?: boolean;
}

let last: { readonly text: string; readonly cib: Cib } | undefined;

/** The same document is asked for again and again: it is read once. */
function reading(text: string): Cib {
  if (last?.text !== text) last = { text, cib: readCib(text) };
  return last.cib;
}

/** Of text for people strangers' part steers no terminal, and has no lines of its own; XML has its own escaping. @throws what reading an unfit CIB throws */
export function performMonitor(task: MonitorTask): MonitorAnswer {
  if (isInXml(task.form)) return answerOf(task);
  const answer = answerOf({ ...task, cib: withoutLineFeeds(task.cib) });
  return { ...answer, text: printableLines(answer.text) };
}

function isInXml(form: MonitorForm): boolean {
  if (form.kind === 'resources') return form.inXml === true || form.question.about === 'definition';
  return form.kind === 'xml' || form.kind === 'old-xml';
}

function answerOf({ cib: text, now, request, form, fencing = [], nodes, resources }: MonitorTask): MonitorAnswer {
  const cib = reading(text);
  const cluster = readState(cib, { now, scores: false, configurationWarnings: false });
  const facts = factsIn(cib.document, request, fencing);
  const selection: MonitorSelection = {
    ...(nodes === undefined ? {} : { nodes: new Set(nodes) }),
    ...(resources === undefined ? {} : { asked: new Set(resources) }),
  };
  switch (form.kind) {
    case 'text':
      return { text: monitorText(cluster, facts, { ...form.options, sections: new Set(form.sections) }, selection) };
    case 'xml':
      return { text: monitorDocument(cluster, facts, selection) };
    case 'old-xml': {
      const { children } = parseXml(monitorDocument(cluster, facts, selection));
      const shown = children.filter((child) => child.kind === 'element' && child.name !== 'status');
      return { text: `<?xml version="1.0"?>\n${serializeXml(element('crm_mon', { version: form.version }, shown))}` };
    }
    case 'line':
      return monitorLine(cluster);
    case 'pending':
      return { text: unfinished(cib, cluster, now) };
    case 'resources': {
      const answer = answerTo(cluster, form.question);
      if (answer === undefined) return { text: '', isUnknown: true };
      return { text: answer, ...(form.inXml === true ? { xml: xmlAnswerTo(cluster, form.question) } : {}) };
    }
  }
}
