import { describe, expect, it } from 'vitest';
import { unitName } from './unit-name.js';
import { isChanging, mayHaveProcesses, otherStarters, parseUnitState, processesIn, unitStateToOcf } from './unit-state.js';

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
    ['LoadState=loaded\nActiveState=inactive\nJob=17\n', 7, true],
    ['LoadState=loaded\nActiveState=inactive\nJob=0\n', 7, false],
    ['LoadState=loaded\nActiveState=active\nJob=17\n', 0, false],
    ['LoadState=not-found\nActiveState=active\n', 0, false],
    ['', 1, false],
  ])('in state %j means %d', (output, rc, changing) => {
    const state = parseUnitState(output);
    expect(unitStateToOcf(state)).toBe(rc);
    expect(isChanging(state)).toBe(changing);
  });

  it('that the machine starts at boot is told', () => {
    const none = { fileState: 'disabled', triggeredBy: '', upheldBy: '' };
    expect(otherStarters('web.service', none)).toBe('');
    expect(otherStarters('web.service', { ...none, fileState: 'enabled' })).toContain('systemctl disable web.service');
    expect(otherStarters('web.service', { ...none, triggeredBy: 'web.socket' })).toContain('systemctl disable --now web.socket');
    expect(otherStarters('web.service', { ...none, upheldBy: 'site.target' })).toContain('upheld by site.target');
  });

  it.each([
    ['failed', '/a', 'control-group', true],
    ['inactive', '/a', 'mixed', true],
    ['failed', '/a', 'process', false],
    ['failed', '', 'control-group', false],
    ['active', '/a', 'control-group', false],
  ])('that is %s, with the control group %j and KillMode=%s, may have processes: %s', (active, group, mode, expected) => {
    const state = parseUnitState(`ActiveState=${active}\nControlGroup=${group}\nKillMode=${mode}\n`);
    expect(mayHaveProcesses(state)).toBe(expected);
  });

  it('has its processes told by systemctl status, whatever it draws the tree with', () => {
    const tree =
      '   Main PID: 49\n     CGroup: /system.slice/a.service\n             ├─494 /bin/sh -c "a 12 b"\n             ├─sub\n             │ └─506 sleep 1\n';
    expect(processesIn(tree)).toEqual(['494', '506']);
    expect(processesIn(tree.replaceAll('├─', '|-').replaceAll('└─', '`-').replaceAll('│', '|'))).toEqual(['494', '506']);
    expect(processesIn('   Main PID: 49\n     CGroup: /system.slice/a.service\n')).toEqual([]);
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
