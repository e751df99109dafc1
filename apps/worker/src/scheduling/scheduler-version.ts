/** Which scheduler computed a graph: recorded in TransitionPlanned, so that a replay that comes to another graph can be explained. */
export const SCHEDULER_VERSION = 'systole/0.1.0';
