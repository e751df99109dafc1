import { describe, expect, it } from 'vitest';
import { unitName } from './unit-name.js';
import { bootWarning, isChanging, parseUnitState, unitStateToOcf } from './unit-state.js';

describe('a unit of systemd', () => {
  it.each([
    ['LoadState=loaded\nActiveState=active\n', 0, false],
    ['ActiveState=reloading\nLoadState=loaded\n', 0, true],
    ['LoadState=loaded\nActiveState=activating\n', 1, true],
    ['LoadState=loaded\nActiveState=inactive\n', 7, false],
    ['LoadState=loaded\nActiveState=failed\n', 7, false],
    ['LoadState=loaded\nActiveState=deactivating\n', 1, true],
    ['LoadState=loaded\nActiveState=maintenance\n', 1, false],
    ['LoadState=not-found\nActiveState=inactive\n', 5, false],
    ['LoadState=masked\nActiveState=inactive\n', 5, false],
    ['LoadState=not-found\nActiveState=active\n', 0, false],
    ['', 1, false],
  ])('in state %j means %d', (output, rc, changing) => {
    const state = parseUnitState(output);
    expect(unitStateToOcf(state)).toBe(rc);
    expect(isChanging(state)).toBe(changing);
  });

  it('that the machine starts at boot is told', () => {
    expect(bootWarning('web.service', { fileState: 'enabled' })).toContain('systemctl disable web.service');
    expect(bootWarning('web.service', { fileState: 'disabled' })).toBe('');
  });

  it.each([
    ['web', 'web.service'],
    ['web.service', 'web.service'],
    ['db@main', 'db@main.service'],
    ['nightly.timer', 'nightly.timer'],
    ['srv-data.mount', 'srv-data.mount'],
    ['a.b', 'a.b.service'],
    ['dev-disk-by\\x2duuid', 'dev-disk-by\\x2duuid.service'],
  ])('%s is %s', (type, unit) => {
    expect(unitName(type)).toMatchObject({ ok: true, unit });
  });

  it.each(['', '-', '--root=/', '../x', '/etc/x', 'a b', 'db@', 'db@.service', 'x'.repeat(250), 'a\nb'])('%j is none', (type) => {
    expect(unitName(type).ok).toBe(false);
  });
});
