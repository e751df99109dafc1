import type { Cluster } from '@systole/scheduler';

/**
 * What the scheduler has to say of a configuration, line by line for standard error: nothing unless it is asked for (specification 08 §11), errors and
 * warnings with `-V`, everything with `-VV`. Why a cluster is read as an empty one is told in any case.
 *
 * @param verbosity how often `-V` was given.
 */
export function messageLines({ messages, nodes, resources }: Cluster, verbosity: number): string[] {
  const isEmpty = nodes.length === 0 && resources.length === 0;
  return messages
    .filter(({ level }) => verbosity > 1 || (verbosity === 1 && level !== 'info') || (isEmpty && level === 'error'))
    .map(({ level, text }) => `${level}: ${text}\n`);
}
