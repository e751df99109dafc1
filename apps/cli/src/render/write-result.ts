import type { components } from '@systole/api-client';
import { describeEvent, versionText } from '@systole/cluster';
import { renderChanges } from './changes.js';
import { clusterEvent } from './cluster-event.js';
import { findingsAfterWrite } from './findings.js';
import { uncoloured, type Paint } from './paint.js';
import { plannedActions } from './schedule.js';
import { summaryLines } from './summary-lines.js';
import { triedLines } from './tried.js';
import { upgradeAfterWrite } from './upgrade.js';

type WriteResult = components['schemas']['WriteResultDto'];

/** What a write did, or with a dry run would do. */
export function renderWriteResult(result: WriteResult, paint: Paint): readonly string[] {
  const { dryRun, events, changes, schedule, settled, tried, warnings = [], findings, upgrade } = result;
  const version = versionText(result);
  const warned = [
    ...warnings.map((text) => paint('yellow', `Warning: ${text}`)),
    ...(upgrade === undefined ? [] : upgradeAfterWrite(upgrade, paint)),
    ...(findings === undefined ? [] : findingsAfterWrite(findings, paint)),
  ];
  const waited = settled === undefined ? [] : settledLines(settled, paint);
  if (events.length === 0) return [`Nothing to do: everything is as wished already (version ${version}).`, ...warned, ...waited];
  const title = dryRun ? `Dry run at version ${version}: nothing was changed.` : `Done: version ${version}.`;
  return [
    title,
    ...warned,
    ...eventLines(changes.length > 0 ? events.filter(({ type }) => type !== 'ConfigurationChanged') : events),
    ...(changes.length > 0 ? ['', paint('bold', 'Changes'), ...renderChanges(changes, paint)] : []),
    ...(schedule === undefined ? [] : ['', paint('bold', 'Then'), ...plannedActions(schedule, paint)]),
    ...(tried === undefined ? [] : triedLines(tried, paint)),
    ...waited,
  ];
}

function eventLines(events: WriteResult['events']): readonly string[] {
  return events.map((event) => `  ${describeEvent(clusterEvent(event), 'you').text}`);
}

const UNSETTLED = {
  failed: (version: number) => `Settled at version ${version}, with failures:`,
  'timed-out': (version: number) => `Not settled in time; version ${version} now.`,
  interrupted: (version: number) => `The wait was broken off before the cluster settled; version ${version} then.`,
  unknown: (version: number) => `The change was made (version ${version}); whether the cluster settled is not known.`,
} as const;

function settledLines(
  { outcome, version, deleted, troubles, unseen, waitingFor, transitions, failures, notRunning }: components['schemas']['SettledDto'],
  paint: Paint,
): readonly string[] {
  return [
    ...transitions.flatMap((transition) => [transitionLine(transition), ...summaryLines(transition)]),
    ...(outcome === 'settled'
      ? atRestLines(settledText(version, deleted), troubles, notRunning.length > 0 ? uncoloured : paint)
      : [paint('red', (Object.hasOwn(UNSETTLED, outcome) ? UNSETTLED[outcome] : UNSETTLED.unknown)(version))]),
    ...(failures.length > 0 && outcome !== 'failed' ? [paint('red', 'Failed meanwhile:')] : []),
    ...failures.map((failure) => paint('red', `  ${failureText(failure)}`)),
    ...notRunning.map((id) => paint('red', `  ${id} is not running on any node`)),
    ...(outcome === 'failed' ? troubleLines(troubles ?? [], paint) : []),
    ...waitingFor.map((text) => `  ${text}`),
    ...(unseen === undefined ? [] : [paint('yellow', `  How it is now is not known: ${unseen}`)]),
  ];
}

function failureText({ resource, node, operation, rc, exitReason }: components['schemas']['FailureDto']): string {
  return `${operation} of ${resource} on ${node}: rc ${rc}${exitReason === undefined ? '' : ` (${exitReason})`}`;
}

/** Green only where nothing is wrong. */
function atRestLines(text: string, troubles: components['schemas']['SettledDto']['troubles'], paint: Paint): readonly string[] {
  if (troubles === undefined) return [text];
  if (troubles.length === 0) return [paint('green', text)];
  return [`${text} Not everything is well:`, ...troubleLines(troubles, paint)];
}

function troubleLines(troubles: NonNullable<components['schemas']['SettledDto']['troubles']>, paint: Paint): readonly string[] {
  return troubles.map((trouble) => `  ${paint(trouble.level === 'bad' ? 'red' : 'yellow', trouble.text)}`);
}

function settledText(version: number, deleted: boolean | undefined): string {
  return deleted === true ? `The cluster is deleted (version ${version}).` : `Settled at version ${version}.`;
}

/** Its lines say what was planned: where not all of that was done, how much was. */
function transitionLine({ number, status, outcome }: components['schemas']['SettlingTransitionDto']): string {
  if (outcome === undefined || outcome.skipped + outcome.failed === 0) return `Transition ${number} ${status}`;
  const { completed, skipped, failed } = outcome;
  return `Transition ${number} ${status}: ${completed} done, ${failed} not as expected, ${skipped} never begun, of what was planned:`;
}
