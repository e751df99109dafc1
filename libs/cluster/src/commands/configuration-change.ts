import { CibRefused, diffConfiguration, readCib, type CibProblem, type XmlElement } from '@systole/cib';
import type { ConfigurationChanged } from '../events/cluster-event.js';
import type { ClusterState } from '../state/cluster-state.js';
import type { Decision, RejectionIssue } from './cluster-command.js';
import { startsAgain } from './decide-stopping.js';
import { withKnownNodes } from './known-nodes.js';
import { accept, reject } from './rejection.js';

/** Who asks for a change of the configuration, and what for. */
export type AskedChange = Pick<ConfigurationChanged['data'], 'command' | 'arguments' | 'reason'>;

/**
 * The one way in which a configuration becomes another one: as one event, or none. What is known of the nodes stays (`withKnownNodes`); a document is refused with all that is wrong in it and was not
 * wrong before, so that an old mistake elsewhere keeps nobody from mending something.
 *
 * @param next the whole document; its status is of no account
 * @param edited false where `next` was read strictly already
 */
export function changeConfiguration(state: ClusterState, next: XmlElement, asked: AskedChange, edited: 'edited' | 'read'): Decision {
  if (edited === 'edited') {
    const issues = newProblems(state.cib, next);
    if (issues.length > 0) return invalidConfiguration(state, issues);
  }
  const { cib, issues } = withKnownNodes(next, state.nodes);
  if (issues.length > 0) return invalidConfiguration(state, issues);
  const starts = startsAgain(state, cib);
  if (starts !== undefined) return starts;
  const changes = diffConfiguration(state.cib, cib);
  if (changes.length === 0) return accept();
  const { command, arguments: given, reason } = asked;
  return accept({
    type: 'ConfigurationChanged',
    data: { command, arguments: given, changes, ...(reason === undefined ? {} : { reason }) },
  });
}

export function invalidConfiguration(state: ClusterState, issues: readonly RejectionIssue[]): Decision {
  const first = issues[0]?.message ?? 'the configuration is not valid';
  const more = issues.length > 1 ? ` (and ${String(issues.length - 1)} more)` : '';
  return reject(state, 'invalid-configuration', `${first}${more}`, { pointer: '/cib', issues });
}

/** Costs what the document holds, twice where something is wrong. */
function newProblems(before: XmlElement, after: XmlElement): readonly RejectionIssue[] {
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
