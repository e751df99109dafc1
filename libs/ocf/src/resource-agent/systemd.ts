import { OCF } from '../outcome/return-codes.js';

/** What `systemctl show` says about a unit. */
export interface UnitState {
  /** `loaded`, `not-found`, `masked`, `bad-setting`, `error` ... */
  readonly load: string;
  /** `active`, `reloading`, `inactive`, `failed`, `activating`, `deactivating`, `maintenance`, `refreshing`. */
  readonly active: string;
}

/** Arguments of `systemctl` for an operation; undefined when systemd has no such thing. */
export function systemctlArguments(operation: string, unit: string): string[] | undefined {
  switch (operation) {
    case 'start':
    case 'stop':
      return [operation, '--no-ask-password', unit];
    case 'reload':
    case 'reload-agent':
      return ['reload-or-restart', '--no-ask-password', unit];
    case 'monitor':
      return ['show', '--property=LoadState,ActiveState', unit];
    default:
      return undefined;
  }
}

/** Reads the output of `systemctl show --property=LoadState,ActiveState`. */
export function parseUnitState(output: string): UnitState {
  const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(output)?.[1]?.trim() ?? '';
  return { load: value('LoadState'), active: value('ActiveState') };
}

/** Whether the unit is on its way to another state. */
export function isChanging(state: UnitState): boolean {
  return state.active === 'deactivating' || state.active === 'activating';
}

/**
 * A unit's state as a monitor's exit code. A unit that is on its way up or reloading counts as running (its start has been asked for); one on its way
 * down counts as failed until it is down, so that nothing is started beside it; `failed` is down, as systemd has already cleaned it up.
 */
export function unitStateToOcf(state: UnitState): number {
  if (state.load === 'not-found') return OCF.ERR_INSTALLED;
  switch (state.active) {
    case 'active':
    case 'activating':
    case 'reloading':
    case 'refreshing':
      return OCF.SUCCESS;
    case 'inactive':
    case 'failed':
      return OCF.NOT_RUNNING;
    default:
      return OCF.ERR_GENERIC;
  }
}
