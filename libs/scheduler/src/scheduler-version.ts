/**
 * Which scheduler computes a graph: recorded in TransitionPlanned, so that a replay that comes to another graph can be explained. The number behind
 * the plus sign is raised with each change of what is decided or of how a graph is written.
 */
export const SCHEDULER_VERSION = 'systole/0.1.0+2';
