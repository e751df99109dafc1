/**
 * Whether a stream is the server's own (its audit, its evidence, the records of its snapshots) and no cluster's: ids of clusters have no slash, and theirs have.
 */
export function isOfServer(streamId: string): boolean {
  return streamId.includes('/');
}
