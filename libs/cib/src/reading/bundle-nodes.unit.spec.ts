import { describe, expect, it } from 'vitest';
import { parseXml } from '../xml/parse-xml.js';
import { bundleNodes, MOST_REPLICAS } from './bundle-nodes.js';

describe('the nodes of a bundle', () => {
  const bundle = (replicas: string) =>
    parseXml(`<bundle id="b"><podman image="i" replicas="${replicas}"/><network control-port="3121"/><primitive id="p"/></bundle>`);

  it('are one for each replica', () => {
    expect(bundleNodes(bundle('2'))).toEqual([
      { name: 'b-0', container: 'b-podman-0' },
      { name: 'b-1', container: 'b-podman-1' },
    ]);
  });

  it.each(['1000000000', '99999999999999999999'])('are no more than can be planned for when %s are asked for', (replicas) => {
    expect(bundleNodes(bundle(replicas))).toHaveLength(MOST_REPLICAS);
  });
});
