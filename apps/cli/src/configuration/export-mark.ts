/** Which configuration an export is: of which cluster, and the entity tag that it had. */
export interface ExportMark {
  readonly clusterId: string;
  /** As the server gave it, e.g. `"28"`. */
  readonly tag: string;
}

const MARK = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?<!-- systole cib export: cluster ([\w-]{1,64}) at ("[\w-]{1,40}") -->/;

/** A comment ahead of the document: every tool that reads XML passes over it. */
export function exportMark({ clusterId, tag }: ExportMark): string {
  return `<!-- systole cib export: cluster ${clusterId} at ${tag} -->\n`;
}

/** The mark of a document that `systole cib export` has written; undefined for what comes from elsewhere. */
export function exportMarkIn(document: string): ExportMark | undefined {
  const [, clusterId, tag] = MARK.exec(document) ?? [];
  return clusterId === undefined || tag === undefined ? undefined : { clusterId, tag };
}
