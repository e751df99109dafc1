import {
  CibRefused,
  diffConfiguration,
  isSurelySound,
  readCib,
  type CibProblem,
  type KnownAgents,
  type SealedFrom,
  type Sealing,
  type XmlElement,
} from '@systole/cib';
import type { ConfigurationChanged } from '../events/cluster-event.js';
import type { DocumentVersion } from '../events/configuration.js';
import { documentVersion, isHigher } from '../state/document-version.js';
import type { ClusterState } from '../state/cluster-state.js';
import type { Decision, RejectionIssue } from './decision.js';
import { startsAgain } from './decide-stopping.js';
import { doubtful, doubtsIn, forcedIn, issuesOf, type Doubts } from './doubtful-configuration.js';
import { withKnownNodes } from './known-nodes.js';
import { accept, reject } from './rejection.js';
import { sealed } from './sealed-configuration.js';

/** Who asks for a change of the configuration, and what for. */
export type AskedChange = Pick<ConfigurationChanged['data'], 'command' | 'arguments' | 'reason'>;

/** How a new configuration came about. */
export interface Written {
  /** `edited`: it is to be validated; `read`: it was read strictly already. */
  readonly written: 'edited' | 'read';
  /** What becomes of what is valid and surely not meant; `none`: a command wrote it, which writes nothing of the kind. */
  readonly doubts: 'refuse' | 'force' | 'none';
  /** What nodes have told of their resource agents; undefined: nothing. */
  readonly agents?: KnownAgents | undefined;
  /** The version that the document has, from which on is counted where it is higher; undefined: it goes on from the present one. */
  readonly version?: DocumentVersion | undefined;
  /** How secrets are taken out of it; undefined: they are not. */
  readonly secrets?: (Omit<SealedFrom, 'before'> & { readonly sealing: Sealing }) | undefined;
}

const BY_COMMAND: Written = { written: 'edited', doubts: 'none' };
const NO_DOUBTS: Doubts = { fresh: [], standing: [] };

/**
 * The one way in which a configuration becomes another one: as one event, or none. What is known of the nodes stays (`withKnownNodes`); a document is refused with all that is wrong in it and was not
 * wrong before, so that an old mistake elsewhere keeps nobody from mending something. What is valid and surely not meant is refused likewise, unless it is forced.
 *
 * @param next the whole document; its status is of no account
 */
export function changeConfiguration(
  state: ClusterState,
  next: XmlElement,
  asked: AskedChange,
  { written, doubts: wanted, agents, version, secrets }: Written = BY_COMMAND,
): Decision {
  const doubts = wanted === 'none' ? NO_DOUBTS : doubtsIn(next, state.cib, agents);
  if (written === 'edited') {
    const invalid = newProblems(state.cib, next);
    if (invalid.length > 0) return invalidConfiguration(state, [...invalid, ...issuesOf(withoutTold(doubts, invalid))]);
  }
  const { cib: clear, issues } = withKnownNodes(next, state.nodes);
  if (issues.length > 0) return invalidConfiguration(state, issues);
  if (wanted === 'refuse' && doubts.fresh.length > 0) return doubtful(state, doubts);
  const sealing = sealed(state, clear, secrets === undefined ? undefined : { ...secrets, before: state.cib });
  if (!sealing.ok) return sealing;
  const { cib } = sealing;
  const starts = startsAgain(state, cib);
  if (starts !== undefined) return starts;
  const changes = diffConfiguration(state.cib, cib);
  const higher = version !== undefined && isHigher(version, documentVersion(state.cib)) ? { countedFrom: version } : {};
  if (changes.length === 0 && higher.countedFrom === undefined) return accept();
  const { command, arguments: given, reason } = asked;
  const data = { command, arguments: given, changes, ...(reason === undefined ? {} : { reason }), ...forcedIn(doubts), ...higher };
  return { ...accept({ type: 'ConfigurationChanged', data }), ...sealing.kept };
}

/** What makes the document invalid is told once. */
function withoutTold({ fresh, standing }: Doubts, told: readonly RejectionIssue[]): Doubts {
  const places = new Set(told.map(({ path = '', attribute = '' }) => `${path} ${attribute}`));
  const isTold = ({ path, attribute = '' }: Doubts['fresh'][number]): boolean => places.has(`${path} ${attribute}`);
  return { fresh: fresh.filter((finding) => !isTold(finding)), standing: standing.filter((finding) => !isTold(finding)) };
}

export function invalidConfiguration(state: ClusterState, issues: readonly RejectionIssue[]): Decision {
  const first = issues[0]?.message ?? 'the configuration is not valid';
  const more = issues.length > 1 ? ` (and ${String(issues.length - 1)} more)` : '';
  return reject(state, 'invalid-configuration', `${first}${more}`, { pointer: '/cib', issues });
}

/** Where nothing is wrong this costs what was edited and the names in the document; else what the document holds, twice. */
function newProblems(before: XmlElement, after: XmlElement): readonly RejectionIssue[] {
  if (isSurelySound(after)) return [];
  const problems = problemsOf(after);
  if (problems.length === 0) return [];
  const known = new Set(problemsOf(before).map(({ path, message }) => `${path} ${message}`));
  return problems
    .filter(({ path, message }) => !known.has(`${path} ${message}`))
    .map(({ message, path, attribute }) => ({
      message,
      ...(path === undefined ? {} : { path }),
      ...(attribute === undefined ? {} : { attribute }),
    }));
}

function problemsOf(document: XmlElement): readonly (Pick<CibProblem, 'message' | 'attribute'> & { readonly path?: string })[] {
  try {
    readCib(document, { strict: true, mistakes: 'refuse' });
    return [];
  } catch (thrown) {
    if (!(thrown instanceof CibRefused)) throw thrown;
    return thrown.problems.length > 0 ? thrown.problems : [{ message: thrown.message }];
  }
}
