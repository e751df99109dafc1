import { describe, expect, it } from 'vitest';
import { lsbAction, lsbToOcf } from './lsb.js';
import { parseUnitState, systemctlArguments, unitStateToOcf } from './systemd.js';

describe('an init script', () => {
  it('is asked for its status by a monitor', () => {
    expect(lsbAction('monitor')).toBe('status');
    expect(lsbAction('start')).toBe('start');
  });

  it.each([
    ['monitor', 0, 0],
    ['monitor', 1, 7],
    ['monitor', 2, 7],
    ['monitor', 3, 7],
    ['monitor', 4, 1],
    ['monitor', 150, 1],
    ['start', 0, 0],
    ['start', 5, 5],
    ['start', 6, 6],
    ['stop', 1, 1],
    ['stop', 99, 1],
  ])('%s that exits with %d means %d', (operation, code, rc) => {
    expect(lsbToOcf(operation, code)).toBe(rc);
  });
});

describe('a systemd unit', () => {
  it.each([
    ['LoadState=loaded\nActiveState=active\n', 0],
    ['ActiveState=reloading\nLoadState=loaded\n', 0],
    ['LoadState=loaded\nActiveState=activating\n', 0],
    ['LoadState=loaded\nActiveState=inactive\n', 7],
    ['LoadState=loaded\nActiveState=failed\n', 7],
    ['LoadState=loaded\nActiveState=deactivating\n', 1],
    ['LoadState=not-found\nActiveState=inactive\n', 5],
    ['', 1],
  ])('in state %j means %d', (output, rc) => {
    expect(unitStateToOcf(parseUnitState(output))).toBe(rc);
  });

  it('has no roles', () => {
    expect(systemctlArguments('promote', 'x.service')).toBeUndefined();
  });
});
