import type { components } from '@systole/api-client';
import { columns } from './columns.js';
import { explainedActions } from './explained-actions.js';
import type { Paint } from './paint.js';
import { scoreText } from './score.js';

type Explanation = components['schemas']['ExplanationDto'];
type Placement = components['schemas']['PlacementDto'];
type Candidate = components['schemas']['CandidateDto'];
type ScorePart = components['schemas']['ScorePartDto'];

/** What of an explanation people are shown. */
export interface ExplanationDetail {
  /** A block for each resource, with all scores and their sums; else a line for each. */
  readonly scores: boolean;
  /** All actions, also probes, monitors, notifications and steps of collectives. */
  readonly allActions: boolean;
  /** The node that was asked about, if one was. */
  readonly node?: string;
}

/** Where resources go and why, then the actions with the chains of their reasons. */
export function renderExplanation(explanation: Explanation, paint: Paint, detail: ExplanationDetail): readonly string[] {
  const { placements, actions } = explanation;
  const blocked = new Set(actions.filter(({ state }) => state === 'blocked').map(({ resource }) => resource ?? ''));
  const state = (placement: Placement): string => stateText(placement, blocked.has(placement.resource), paint);
  return [
    ...(detail.scores
      ? placements.flatMap((placement) => [...block(placement, state(placement), paint, detail), ''])
      : [...overview(placements, state, paint), '']),
    paint('bold', 'Actions'),
    ...explainedActions(explanation, paint, detail.allActions),
  ];
}

/** A line for each primitive, below the groups, clones and bundles that it belongs to. */
function overview(placements: readonly Placement[], state: (placement: Placement) => string, paint: Paint): readonly string[] {
  const rows: (readonly string[])[] = [];
  let above: readonly string[] = [];
  for (const placement of placements) {
    const { resource, within, text } = placement;
    within.forEach((collective, depth) => {
      if (above[depth] !== collective) rows.push([`${'  '.repeat(depth)}${collective}`]);
    });
    above = within;
    rows.push([`${'  '.repeat(within.length)}${resource}`, state(placement), paint('dim', text)]);
  }
  const width = Math.max(0, ...rows.map((row) => row.length));
  return [
    paint('bold', 'Resources'),
    ...columns(
      rows.map((row) => [...row, ...Array<string>(width - row.length).fill('')]),
      2,
    ),
  ];
}

function block(placement: Placement, state: string, paint: Paint, { node }: ExplanationDetail): readonly string[] {
  const { resource, within, text, candidates, moreCandidates, promotion } = placement;
  const place = within.length === 0 ? '' : paint('dim', ` (in ${within.join(', ')})`);
  return [
    `${paint('bold', resource)}${place}  ${state}`,
    `  ${text}`,
    ...(candidates.length > 0 ? ['', ...candidateTable(candidates, placement.node, paint)] : []),
    ...(node !== undefined && candidates.length === 0 ? [`  ${node} is no candidate: nothing allows it there`] : []),
    ...(moreCandidates === undefined ? [] : [`    and ${moreCandidates} more nodes`]),
    ...(promotion === undefined ? [] : promotionTable(promotion, paint)),
  ];
}

/** `Stopped → Started on node1`; what stays as it is once only. @param blocked what it needs can't be done now */
function stateText({ role, nextRole, activeOn, failed, node }: Placement, blocked: boolean, paint: Paint): string {
  const now = activeOn.length === 0 ? 'Stopped' : `${role} on ${activeOn.join(', ')}`;
  const next = node === undefined || nextRole === 'Stopped' ? 'Stopped' : `${nextRole} on ${node}`;
  const mark = failed ? ` ${paint('red', 'FAILED')}` : '';
  if (now !== next) return `${now}${mark} ${paint('yellow', `→ ${next}`)}${blocked ? ` ${paint('red', 'BLOCKED')}` : ''}`;
  return `${paint(next === 'Stopped' ? 'dim' : 'green', now)}${mark}`;
}

function candidateTable(candidates: readonly Candidate[], chosen: string | undefined, paint: Paint): readonly string[] {
  const lines = candidates.map(({ node, score, unusable, parts = [] }) => {
    const name = `${node === chosen ? '→ ' : '  '}${node}${unusable === undefined ? '' : ` (${unusable})`}`;
    return { name: node === chosen ? paint('green', name) : name, score, parts };
  });
  return columns([[paint('bold', '  NODE'), paint('bold', 'SCORE'), '', ''], ...sums(lines, paint)], 2);
}

function promotionTable({ score, text, parts = [] }: NonNullable<Placement['promotion']>, paint: Paint): readonly string[] {
  return ['', `  ${text}`, '', ...columns(sums([{ name: '  promotion', score, parts }], paint), 2)];
}

interface ScoreLine {
  readonly name: string;
  readonly score: number;
  readonly parts: readonly ScorePart[];
}

/** Scores as sums, a row for each part; numbers to the right of their columns. */
function sums(lines: readonly ScoreLine[], paint: Paint): readonly (readonly string[])[] {
  const scoreWidth = widest(lines.map(({ score }) => scoreText(score)));
  const amountWidth = widest(lines.flatMap(({ parts }) => parts.map(({ amount }) => scoreText(amount))));
  return lines.flatMap(({ name, score, parts }) => {
    const padded = scoreText(score).padStart(scoreWidth);
    const shown = score < 0 ? paint('red', padded) : padded;
    if (parts.length === 0) return [[name, shown, '', '']];
    return parts.map(({ amount, text }, index) => {
      const sum = `${index === 0 ? '=' : '+'} ${scoreText(amount).padStart(amountWidth)}`;
      return [index === 0 ? name : '', index === 0 ? shown : '', sum, text];
    });
  });
}

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));
