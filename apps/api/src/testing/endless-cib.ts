import { CIB } from './api-under-test.js';

const META = { 'clone-max': '60000', 'clone-node-max': '60000', 'globally-unique': 'true', 'target-role': 'Stopped' };
const NVPAIRS = Object.entries(META).map(([name, value]) => `<nvpair id="many-${name}" name="${name}" value="${value}"/>`);

/** A stopped clone of so many instances that nobody computes how the cluster is within a minute. */
export const ENDLESS_CIB = CIB.replace(
  '</resources>',
  `<clone id="many"><meta_attributes id="many-meta">${NVPAIRS.join('')}</meta_attributes><primitive id="one" class="ocf" provider="heartbeat" type="Dummy"/></clone></resources>`,
);
