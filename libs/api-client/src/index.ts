export { activityOf, furtherTroubles, type Activity } from './activity.js';
export { createSystoleClient, type SystoleClient, type SystoleClientOptions } from './client.js';
export {
  followAllEvents,
  followEvents,
  type FollowAllOptions,
  type FollowFilter,
  type FollowOptions,
  type StreamedEntry,
  type StreamedEvent,
} from './follow-events.js';
export { isProblem, ProblemError, unwrap, unwrapJson, type Problem } from './problem.js';
export type { components, operations, paths } from './schema.js';
export { tryLosses, type LossesTried } from './try-losses.js';
