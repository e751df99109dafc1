import { readingOf } from '@systole/cib';
import { fencingDevices, type ClusterState } from '@systole/cluster';
import type { SafetyNoteDto, TroubleDto } from './status.dto.js';

/**
 * What a configuration leaves undone or unguarded, in a few words: nobody may read `settled` over that. What to do about it stands among the safety notes.
 *
 * @param now epoch ms, for rules
 */
export function reducedTroubles(state: ClusterState, now: number): readonly TroubleDto[] {
  const { options } = readingOf(state.cib, now);
  const isGuarded = fencingDevices(state.cib, now).some(({ disabled }) => !disabled);
  const troubles: readonly (TroubleDto | false)[] = [
    lacksFencing(state, now) && {
      code: 'nothing-managed',
      level: 'bad',
      text: 'nothing is managed: fencing is switched on without a fence device',
    },
    options.flag('maintenance-mode') && {
      code: 'maintenance-mode',
      level: 'warn',
      text: 'maintenance: nothing is started, stopped or monitored',
    },
    isKeptStopped(state, now) && {
      code: 'all-stopped',
      level: 'warn',
      text: 'everything is kept stopped: stop-all-resources is on, until "start-all"',
    },
    !options.flag('fencing-enabled') && { code: 'fencing-disabled', level: 'warn', text: 'fencing is switched off' },
    options.flag('fencing-enabled') &&
      !isGuarded &&
      !lacksFencing(state, now) && { code: 'no-fence-device', level: 'warn', text: 'no fence device can be used' },
    options.choice('no-quorum-policy') === 'ignore' && { code: 'quorum-ignored', level: 'warn', text: 'no-quorum-policy is ignore' },
  ];
  return troubles.filter((trouble) => trouble !== false);
}

/**
 * Whether somebody has everything kept stopped (`stop-all-resources`).
 *
 * @param now epoch ms, for rules
 */
export function isKeptStopped({ cib }: ClusterState, now: number): boolean {
  return readingOf(cib, now).options.flag('stop-all-resources');
}

/** Notes that a trouble of their own, or `hold`, stands for. */
const TOLD: ReadonlySet<string> = new Set([
  'fencing-disabled',
  'no-fence-device',
  'quorum-ignored',
  'no-quorum',
  'node-lost',
  'fencing-held',
]);

/** Of safety notes that no other trouble stands for, that they are there. */
export function untoldNotes(safety: readonly SafetyNoteDto[]): readonly TroubleDto[] {
  const untold = new Set(safety.flatMap(({ code }) => (TOLD.has(code) ? [] : [code.replaceAll('-', ' ')])));
  if (untold.size === 0) return [];
  return [{ code: 'safety-notes', level: 'warn', text: `see Safety: ${[...untold].join(', ')}` }];
}

/**
 * Whether fencing is switched on without a device or a watchdog: the scheduler manages nothing then (specification 03 §2.6). A device that is stopped counts as
 * one there.
 *
 * @param now epoch ms, for rules
 */
export function lacksFencing({ cib }: ClusterState, now: number): boolean {
  const { options } = readingOf(cib, now);
  return options.flag('fencing-enabled') && fencingDevices(cib, now).length === 0 && !options.flag('have-watchdog');
}
