import { OCF } from '../outcome/return-codes.js';

/** What `systemctl show` says about a unit. */
export interface UnitState {
  /** `loaded`, `not-found`, `masked`, `bad-setting`, `error` ... */
  readonly load: string;
  /** `active`, `reloading`, `inactive`, `failed`, `activating`, `deactivating`, `maintenance`, `refreshing`. */
  readonly active: string;
  /** Of the type of the unit: `running`, `exited`, `dead`, `auto-restart`, `mounted` ... */
  readonly sub: string;
  /** Why it failed: `success`, `exit-code`, `signal`, `timeout`, `start-limit-hit` ... */
  readonly result: string;
  /** `simple`, `forking`, `oneshot` ...; empty for what is no service. */
  readonly type: string;
  readonly remainsAfterExit: boolean;
  /** How the main process ended: `exited`, `killed` ... as systemd numbers it (CLD_*), and with what. */
  readonly mainStatus: string;
  /** `enabled`, `disabled`, `static`, `masked` ... */
  readonly fileState: string;
  /** The job that systemd has queued for it, or is carrying out; empty when there is none. */
  readonly job: string;
  /** The drop-ins that systemd has read of it, their paths. */
  readonly dropIns: string;
  /** Its control group; empty when there is none any more, as after its last process. */
  readonly controlGroup: string;
  /** What a stop ends of it: `control-group`, `mixed`, `process` or `none`. */
  readonly killMode: string;
  /** Units that start it: for what they wait for (sockets, timers, paths), and as long as they are active (`Upholds=`). */
  readonly triggeredBy: string;
  readonly upheldBy: string;
}

const PROPERTIES = {
  load: 'LoadState',
  active: 'ActiveState',
  sub: 'SubState',
  result: 'Result',
  type: 'Type',
  remainsAfterExit: 'RemainAfterExit',
  mainStatus: 'ExecMainStatus',
  fileState: 'UnitFileState',
  job: 'Job',
  dropIns: 'DropInPaths',
  controlGroup: 'ControlGroup',
  killMode: 'KillMode',
  triggeredBy: 'TriggeredBy',
  upheldBy: 'UpheldBy',
} as const satisfies Record<keyof UnitState, string>;

/** Arguments of `systemctl` by which it says what {@link parseUnitState} reads. */
export function showArguments(unit: string): string[] {
  return ['show', '--no-pager', `--property=${Object.values(PROPERTIES).join(',')}`, '--', unit];
}

/** The properties that `systemctl show` printed, by name. */
export function parseUnitProperties(output: string): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  for (const line of output.split('\n')) {
    const at = line.indexOf('=');
    if (at > 0) said.set(line.slice(0, at), line.slice(at + 1).trim());
  }
  return said;
}

/** Reads what `systemctl show` printed; what it did not say is empty. */
export function parseUnitState(output: string): UnitState {
  const said = parseUnitProperties(output);
  const value = (name: keyof typeof PROPERTIES): string => said.get(PROPERTIES[name]) ?? '';
  return {
    load: value('load'),
    active: value('active'),
    sub: value('sub'),
    result: value('result'),
    type: value('type'),
    remainsAfterExit: value('remainsAfterExit') === 'yes',
    mainStatus: value('mainStatus'),
    fileState: value('fileState'),
    job: value('job') === '0' ? '' : value('job'),
    dropIns: value('dropIns'),
    controlGroup: value('controlGroup'),
    killMode: value('killMode'),
    triggeredBy: value('triggeredBy'),
    upheldBy: value('upheldBy'),
  };
}

/**
 * Whether the unit is on its way to another state: what it will come to is not known yet. So is one that is down and has a job: systemd starts it as soon as what it waits for is there, though whoever asked for that may be
 * gone.
 */
export function isChanging({ active, job }: Pick<UnitState, 'active' | 'job'>): boolean {
  return ['activating', 'deactivating', 'reloading', 'refreshing'].includes(active) || (isDown(active) && job !== '');
}

function isDown(active: string): boolean {
  return active === 'inactive' || active === 'failed';
}

/**
 * Whether processes of a unit that is down may run on though a stop is to end them all: what not even KILL ends (a process that waits for a disk, `SendSIGKILL=no`) systemd gives up. Of `KillMode=process` and `none` they are meant to.
 */
export function mayHaveProcesses({ active, controlGroup, killMode }: UnitState): boolean {
  return isDown(active) && controlGroup !== '' && (killMode === 'control-group' || killMode === 'mixed');
}

/** The processes that `systemctl status` printed of a unit, their pids. */
export function processesIn(status: string): readonly string[] {
  return [...status.matchAll(/^[ │|]*(?:[├└]─|[|`]-) *(\d+) /gmu)].map(([, pid = '']) => pid);
}

/**
 * A unit's state as a monitor's exit code. One that is on its way up or down counts as failed, for as long as nobody knows what becomes of it; one that reloads runs.
 * `failed` is down, as systemd has already cleaned it up. Whether it runs counts before whether it could be started again: a unit that was masked, or whose file was
 * removed, may run on.
 */
export function unitStateToOcf(state: UnitState): number {
  switch (state.active) {
    case 'active':
    case 'reloading':
    case 'refreshing':
      return OCF.SUCCESS;
    case 'inactive':
    case 'failed':
      return state.load === 'loaded' ? OCF.NOT_RUNNING : OCF.ERR_INSTALLED;
    default:
      return OCF.ERR_GENERIC;
  }
}

/** Why a unit can't be started here, for people; undefined when its file is as it should be. */
export function loadProblem(unit: string, { load }: UnitState): string | undefined {
  switch (load) {
    case 'loaded':
      return undefined;
    case 'not-found':
      return `there is no unit ${unit} on this node`;
    case 'masked':
      return `${unit} is masked on this node: systemctl unmask ${unit}`;
    default:
      return `systemd does not load ${unit} on this node (${load === '' ? 'no answer' : load}): systemctl status ${unit} says why`;
  }
}

/** How a unit is that is not as it was to be, in systemd's words. */
export function describeState(unit: string, { active, sub, result, mainStatus }: UnitState): string {
  const why = result === '' || result === 'success' ? '' : `, result ${result}`;
  const status = mainStatus === '' || mainStatus === '0' ? '' : `, status ${mainStatus} of the main process`;
  return `${unit} is ${active}${sub === '' || sub === active ? '' : ` (${sub})`}${why}${status}`;
}

/** What starts a unit besides the cluster, for people; empty when nothing does. */
export function otherStarters(
  unit: string,
  { fileState, triggeredBy, upheldBy }: Pick<UnitState, 'fileState' | 'triggeredBy' | 'upheldBy'>,
): string {
  const warnings: string[] = [];
  if (fileState === 'enabled')
    warnings.push(`${unit} is enabled: systemd starts it when the machine boots, whatever the cluster wants (systemctl disable ${unit})`);
  if (triggeredBy !== '')
    warnings.push(`${unit} is started by ${triggeredBy}, too, whatever the cluster wants (systemctl disable --now ${triggeredBy})`);
  if (upheldBy !== '') warnings.push(`${unit} is upheld by ${upheldBy}: systemd starts it again each time that the cluster has stopped it`);
  return warnings.join('\n');
}
