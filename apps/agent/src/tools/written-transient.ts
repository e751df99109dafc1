import type { TransientAttributes } from '../attributes/transient-attributes.js';
import { CibView } from './cib-view.js';

/** Transient attributes as they are written in a CIB: of what is held back on its way there only the cluster's agents are told. @param cib XML */
export function writtenTransient(
  cib: string,
  { node, name }: { readonly node?: string; readonly name?: string },
): Awaited<ReturnType<TransientAttributes['read']>> {
  const view = CibView.parse(cib);
  const nodes = node === undefined ? view.nodes().map((one) => one.name) : [node];
  return nodes.flatMap((of) =>
    [...view.transientAttributes(of)].flatMap(([known, value]) =>
      name === undefined || name === known ? [{ node: of, name: known, value }] : [],
    ),
  );
}
