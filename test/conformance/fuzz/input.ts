import { serializeXml, type XmlElement } from '@systole/cib';
import type { Injections } from '@systole/simulator';
import { draftOf, finishDraft } from './draft.js';
import { mutate } from './mutate.js';
import type { Plan, TextMutation } from './mutation.js';
import type { Sample } from './samples.js';

/** What one run of the law is about. */
export interface FuzzInput {
  /** The CIB's text. */
  readonly text: string;
  /** Effective time, as a command line gives it. */
  readonly time: string | undefined;
  readonly injections: Injections;
  readonly failures: readonly string[];
}

/** Carries a plan out. */
export function inputOf(samples: readonly Sample[], plan: Plan): FuzzInput {
  const sample = sampleOf(samples, plan.sample);
  const draft = draftOf(sample.document);
  for (const mutation of plan.mutations) mutate(draft, mutation, (index) => draftOf(sampleOf(samples, index).document));
  const text = plan.text.reduce(mutateText, serializeXml(finishDraft(draft)));
  return { text, time: sample.time, ...happenings(sample.document, plan.injection) };
}

/** The sample that a number picks. */
export function sampleOf(samples: readonly Sample[], index: number): Sample {
  const sample = samples[index % samples.length];
  if (!sample) throw new Error('there are no samples to mutate');
  return sample;
}

function mutateText(text: string, { type, at, length, text: inserted }: TextMutation): string {
  const place = at % (text.length + 1);
  switch (type) {
    case 'cut':
      return text.slice(0, place) + text.slice(place + length);
    case 'repeat':
      return text.slice(0, place + length) + text.slice(place);
    case 'insert':
      return text.slice(0, place) + inserted + text.slice(place);
    case 'truncate':
      return text.slice(0, place);
  }
}

/** Injections and failures by number, with names of the sample, which the mutations may have removed. */
function happenings(document: XmlElement, pick: number | undefined): Pick<FuzzInput, 'injections' | 'failures'> {
  if (pick === undefined) return { injections: {}, failures: [] };
  const names = new Map<string, string[]>();
  const walk = ({ name, attributes, children }: XmlElement): void => {
    names.set(name, [...(names.get(name) ?? []), attributes['uname'] ?? attributes['id'] ?? '']);
    for (const child of children) if (child.kind === 'element') walk(child);
  };
  walk(document);
  const one = (kind: string): string => names.get(kind)?.[pick % (names.get(kind)?.length ?? 1)] ?? 'nothing';
  const operation = `${one('primitive')}_${['monitor_10000', 'start_0', 'stop_0', 'promote_0', 'x', 'monitor_-1'][pick % 6] ?? ''}@${one('node')}=${['1', '7', '0', 'x', '99999999999'][pick % 5] ?? ''}`;
  const choices: readonly Injections[] = [
    { nodesDown: [one('node')] },
    { nodesUp: [one('node'), 'brand-new'] },
    { nodesFailed: [one('node')] },
    { ticketsGranted: [one('rsc_ticket')], ticketsStandby: ['other'] },
    { ticketsRevoked: [one('rsc_ticket')], ticketsActivated: ['', 'x'] },
    { operations: [operation, 'no operation at all'] },
    { quorum: ['true', 'false', '', 'x'][pick % 4] ?? '', watchdog: ['true', 'false', 'x'][pick % 3] ?? '' },
    {},
  ];
  return { injections: choices[Math.floor(pick / 60) % choices.length] ?? {}, failures: [operation] };
}
