import { describe, expect, it } from 'vitest';
import { readCib } from '../document/cib.js';
import { impliedNodeFindings } from './implied-nodes.js';

const CONNECTION = 'class="ocf" provider="pacemaker" type="remote"';
const dummy = (id: string, inner = ''): string =>
  `<primitive id="${id}" class="ocf" provider="pacemaker" type="Dummy">${inner}</primitive>`;
const guest = (of: string, name: string): string =>
  `<meta_attributes id="${of}-m"><nvpair id="${of}-r" name="remote-node" value="${name}"/></meta_attributes>`;

function found(resources: string): readonly string[] {
  const xml = `<cib validate-with="pacemaker-4.0" epoch="1" num_updates="0" admin_epoch="0"><configuration><crm_config/><nodes><node id="1" uname="n1"/><node id="far" uname="far" type="remote"/></nodes><resources>${resources}</resources><constraints/></configuration><status/></cib>`;
  return impliedNodeFindings(readCib(xml).document).map(
    ({ kind, level, path, message }) => `${kind} ${level} ${path.split('/resources/')[1] ?? ''} ${message}`,
  );
}

describe('what is found of remote and guest nodes', () => {
  it('is nothing in those that are made, one in a group and those of bundles among them', () => {
    const bundle = `<bundle id="b"><podman image="i" replicas="2"/><network control-port="1"/>${dummy('inner')}</bundle>`;
    expect(
      found(
        `<primitive id="far" ${CONNECTION}/>${dummy('vm', guest('vm', 'inside'))}<group id="g">${dummy('vm2', guest('vm2', 'inside2'))}</group>${bundle}`,
      ),
    ).toEqual([]);
  });

  it('is what makes none where it stands', () => {
    expect(found(`<group id="g"><primitive id="far" ${CONNECTION}/></group>`)).toEqual([
      expect.stringMatching(/^not-done error group\[@id='g'\]\/primitive\[@id='far'\] a connection in a group makes no remote node/),
    ]);
    expect(found(`<clone id="c"><group id="g"><primitive id="far" ${CONNECTION}/></group></clone>`)).toEqual([
      expect.stringContaining('a connection in a clone makes no remote node'),
    ]);
    expect(found(`<template id="t" ${CONNECTION}/><primitive id="far" template="t"/>`)).toEqual([
      expect.stringContaining("primitive[@id='far'] a connection that is made of a template"),
    ]);
    expect(found(`<clone id="c">${dummy('vm', guest('vm', 'inside'))}</clone>`)).toEqual([expect.stringContaining('makes no guest node')]);
    expect(found(`<template id="t" class="ocf" provider="pacemaker" type="Dummy">${guest('t', 'inside')}</template>`)).toEqual([
      expect.stringContaining('a template makes no guest node'),
    ]);
  });

  it('is a name that something else has', () => {
    expect(found(dummy('vm', guest('vm', 'db')) + dummy('db'))).toEqual([
      "repeated-node error primitive[@id='vm'] db is the name of a resource, too: give the guest node a name of its own",
    ]);
    expect(found(dummy('vm', guest('vm', 'vm')))).toEqual([expect.stringContaining('is the name of a resource')]);
    expect(found(dummy('vm', guest('vm', 'n1')))).toEqual([expect.stringContaining('is the name of a cluster node')]);
    expect(found(`<primitive id="n1" ${CONNECTION}/>`)).toEqual([expect.stringContaining('give the remote node a name of its own')]);
    expect(found(dummy('vm', guest('vm', 'in')) + dummy('vm2', guest('vm2', 'in')))).toEqual([
      expect.stringMatching(/primitive\[@id='vm2'\] in is the name of another remote or guest node/),
    ]);
  });
});
