import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.js';
import { execute, threeNodes } from '../testing/stream.js';
import type { ClusterCommand } from './cluster-command.js';
import { commandWarnings } from './command-warnings.js';

const dummy = (id: string): string => `<primitive id="${id}" class="ocf" provider="systole" type="Dummy"/>`;
const of = (options = ''): ClusterState =>
  threeNodes({
    options,
    resources: `${dummy('db')}<group id="G">${dummy('g1')}${dummy('g2')}</group><clone id="C">${dummy('c1')}</clone>`,
  });
const ban = (resource: string, node: string): ClusterCommand => ({ type: 'ban-resource', resource, node, now: 1_800_000_000 });
const set = (mode: 'enable' | 'disable', resource: string): ClusterCommand => ({ type: 'set-resource-mode', mode, resource });

/** What is said of the last of these commands. */
function said(state: ClusterState, ...commands: readonly [...ClusterCommand[], ClusterCommand]): readonly string[] {
  const last = commands.at(-1);
  return last === undefined ? [] : commandWarnings(last, execute(state, ...commands));
}

describe('a command', () => {
  it('that does what it says is not commented on', () => {
    expect(said(of(), set('disable', 'G'))).toEqual([]);
    expect(said(of(), ban('db', 'n1'), ban('db', 'n2'))).toEqual([]);
  });

  it('that leaves a resource no node is accepted with a warning', () => {
    expect(said(of(), ban('db', 'n1'), ban('db', 'n2'), ban('db', 'n3'))).toEqual([
      expect.stringContaining('no node is left where db may run'),
    ]);
  });

  it('that is applied to a clone instead of what stands in it says so', () => {
    expect(said(of(), ban('c1', 'n1'))).toEqual(['c1 stands in clone C: the command was applied to C']);
  });

  it('that a part goes against names the part', () => {
    expect(said(of(), set('disable', 'g1'), set('enable', 'G'))).toEqual([expect.stringContaining('g1 stays stopped')]);
  });

  it('that renames a node says that its agent needs another token', () => {
    expect(commandWarnings({ type: 'rename-node', node: 'n3', to: 'charlie' }, of())).toEqual([
      expect.stringContaining('systole token create charlie --role agent --node charlie'),
    ]);
  });

  it('says when the cluster is in maintenance', () => {
    expect(said(of('<nvpair id="m" name="maintenance-mode" value="true"/>'), set('disable', 'db'))).toEqual([
      expect.stringContaining('in maintenance'),
    ]);
  });
});
