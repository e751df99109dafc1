import {
  epochVersion,
  isMeantFor,
  versionText,
  writtenAttributes,
  writtenUtilization,
  type ClusterCommand,
  type ClusterState,
} from '@systole/cluster';
import type { Request } from 'express';
import { unwanted } from '../http/conditions.js';
import { etagOf, unwantedVersions } from '../http/etag.js';

/**
 * Refuses a write on states on which `If-None-Match` does not want it: what it is about is there (`*`), or as it was at one of the versions.
 *
 * @returns undefined without that header; else what throws HttpProblem 412
 * @throws {HttpProblem} 400 for what is no list of entity tags
 */
export function unwantedOn({ headers }: Request, command: ClusterCommand): ((state: ClusterState) => void) | undefined {
  const versions = unwantedVersions(headers['if-none-match']);
  if (versions === undefined) return undefined;
  return (state) => {
    const isUnwanted = versions === 'any' ? isThere(command, state) : versions.some((version) => isMeantFor(command, state, [version]));
    if (!isUnwanted) return;
    const head = epochVersion(state);
    throw unwanted(versions === 'any' ? 'it is there' : `the cluster is at version ${versionText(head)}`, { etag: etagOf(head) });
  };
}

/** Whether there is what a command is about that the cluster accepts. Only single values can be written that are not there. */
function isThere(command: ClusterCommand, state: ClusterState): boolean {
  switch (command.type) {
    case 'set-node-attribute':
    case 'clear-node-attribute':
      return writtenAttributes(state, command.node)?.some(({ name }) => name === command.name) === true;
    case 'set-node-utilization':
      return writtenUtilization(state, command.node)?.some(({ name }) => name === command.name) === true;
    default:
      return true;
  }
}
