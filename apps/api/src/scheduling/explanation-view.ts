import type { ActionExplanation, CandidateSummary, PlacementExplanation, ResourceSummary, Schedule } from '@systole/scheduler';
import { nearMatches } from '@systole/cib';

/** What of an explanation is asked for. */
export interface ExplanationSelection {
  /** Ids of resources; a group, clone or bundle stands for all its primitives, a primitive for its instances. None: everything. */
  readonly resources: readonly string[];
  /** Candidates and actions on this node only. */
  readonly node?: string;
  readonly actions: 'planned' | 'blocked' | 'all';
  /** Say what scores are made of. */
  readonly parts: boolean;
}

/** A candidate without its parts, where those were not asked for. */
export type CandidateView = Omit<CandidateSummary, 'parts'> & Partial<Pick<CandidateSummary, 'parts'>>;

type Promotion = NonNullable<PlacementExplanation['promotion']>;

/** A primitive: how it is, where it goes, and why. */
export interface PlacementView extends Omit<PlacementExplanation, 'candidates' | 'promotion'> {
  /** Ids of the group, clone or bundle that it belongs to, the outermost first. */
  readonly within: readonly string[];
  readonly role: ResourceSummary['role'];
  readonly nextRole: ResourceSummary['nextRole'];
  readonly activeOn: readonly string[];
  readonly failed: boolean;
  readonly candidates: readonly CandidateView[];
  /** So many more were left out to keep the answer short. */
  readonly moreCandidates?: number;
  readonly promotion?: Omit<Promotion, 'parts'> & Partial<Pick<Promotion, 'parts'>>;
}

export interface ExplanationView {
  /** In the order of the resources in the status. */
  readonly placements: readonly PlacementView[];
  readonly actions: readonly ActionExplanation[];
  /** So many more were left out to keep the answer short. */
  readonly moreActions?: number;
}

/** What was asked about is not there. */
export interface UnknownName {
  readonly what: 'resource' | 'node';
  readonly name: string;
  /** What may have been meant. */
  readonly near: readonly string[];
}

export type ExplanationOutcome = { readonly view: ExplanationView } | { readonly unknown: UnknownName };

/** So many candidates go into one answer as long as each placement still has a few. */
const CANDIDATES = 20_000;
const FEWEST_CANDIDATES = 3;
/** So many actions go into one answer. */
const ACTIONS = 5_000;

/** Selects what is asked for of a schedule that was computed with `explain`. */
export function explanationView(schedule: Schedule, selection: ExplanationSelection): ExplanationOutcome {
  const { nodes, resources, explanation } = schedule;
  const { node } = selection;
  if (node !== undefined && !nodes.some(({ name }) => name === node)) {
    const names = nodes.map(({ name }) => name);
    return { unknown: { what: 'node', name: node, near: nearMatches(node, names) } };
  }
  const found = selectResources(resources, selection.resources);
  if ('unknown' in found) return found;
  const explained = new Map(explanation?.placements.map((placement) => [placement.resource, placement]));
  const shown = Math.max(FEWEST_CANDIDATES, Math.floor(CANDIDATES / Math.max(found.leaves.length, 1)));
  const placements = found.leaves.flatMap(({ resource, within }) => {
    const placement = explained.get(resource.id);
    return placement === undefined ? [] : [placementView(placement, resource, within, selection, shown)];
  });
  const actions = (explanation?.actions ?? []).filter(
    (action) =>
      (selection.actions === 'all' || action.state === selection.actions) &&
      (node === undefined || action.node === node) &&
      (selection.resources.length === 0 || (action.resource !== undefined && found.ids.has(action.resource))),
  );
  const more = actions.length - ACTIONS;
  return { view: { placements, actions: actions.slice(0, ACTIONS), ...(more > 0 ? { moreActions: more } : {}) } };
}

interface Leaf {
  readonly resource: ResourceSummary;
  readonly within: readonly string[];
}

interface SelectedResources {
  /** Primitives, in the order of the tree. */
  readonly leaves: readonly Leaf[];
  /** Everything that is named or below what is named. */
  readonly ids: ReadonlySet<string>;
}

/** Finds resources by their ids; everything for no ids at all. */
function selectResources(
  resources: readonly ResourceSummary[],
  wanted: readonly string[],
): SelectedResources | { readonly unknown: UnknownName } {
  const names = new Set(wanted);
  const known = new Set<string>();
  const leaves: Leaf[] = [];
  const ids = new Set<string>();
  const visit = (resource: ResourceSummary, within: readonly string[], inside: boolean): void => {
    const definition = definitionOf(resource.id);
    known.add(resource.id).add(definition);
    const selected = inside || names.has(resource.id) || names.has(definition);
    if (selected) ids.add(resource.id);
    if (resource.kind === 'primitive') {
      if (selected) leaves.push({ resource, within });
      return;
    }
    for (const child of resource.children) visit(child, [...within, resource.id], selected);
  };
  for (const resource of resources) visit(resource, [], names.size === 0);
  const missing = wanted.find((name) => !known.has(name));
  return missing === undefined ? { leaves, ids } : { unknown: { what: 'resource', name: missing, near: nearMatches(missing, known) } };
}

/** The id in the CIB: instances are `<id>:<number>`, and ids there have no colon. */
function definitionOf(id: string): string {
  const colon = id.indexOf(':');
  return colon < 0 ? id : id.slice(0, colon);
}

function placementView(
  { candidates, promotion, ...placement }: PlacementExplanation,
  { role, nextRole, activeOn, failed }: ResourceSummary,
  within: readonly string[],
  { node, parts }: ExplanationSelection,
  shown: number,
): PlacementView {
  const onNode = node === undefined ? candidates : candidates.filter((candidate) => candidate.node === node);
  const first = onNode.slice(0, shown);
  const chosen = onNode.slice(shown).filter((candidate) => candidate.node === placement.node);
  const given = [...first, ...chosen];
  const more = onNode.length - given.length;
  return {
    ...placement,
    within,
    role,
    nextRole,
    activeOn,
    failed,
    candidates: parts ? given : given.map(withoutParts),
    ...(more > 0 ? { moreCandidates: more } : {}),
    ...(promotion === undefined ? {} : { promotion: parts ? promotion : withoutParts(promotion) }),
  };
}

function withoutParts<T extends { readonly parts: unknown }>({ parts: _, ...rest }: T): Omit<T, 'parts'> {
  return rest;
}
