/** How the agent ends, for whoever supervises it. */
export const EXIT_CODE = {
  /** Left the cluster, its resources stopped. */
  LEFT: 0,
  /** Could not start or could not go on; the log says why. A restart may help. */
  FAILED: 1,
  /** A second signal: ended at once, resources untouched. */
  INTERRUPTED: 2,
  USAGE: 64,
  /** The cluster was deleted; resources untouched, nobody manages them any more. A restart does not help. */
  CLUSTER_DELETED: 69,
  /** Left the cluster, but something could not be stopped and may run on; a watchdog is left armed and resets the machine. Must not be restarted. */
  LEFT_UNCLEAN: 70,
  /** Left the cluster, its resources stopped, but the disk takes nothing: the journal does not say so. */
  UNRECORDED: 74,
  /** The token is not accepted, or is for another node. A restart does not help. */
  NOT_PERMITTED: 77,
  /** A newer incarnation of this node has joined; resources untouched. Must not be restarted (Pacemaker's code for that, too). */
  SUPERSEDED: 100,
} as const;

export type ExitCode = (typeof EXIT_CODE)[keyof typeof EXIT_CODE];
