/** An answer to anything but a poll is given up after this time, ms. */
export const REQUEST_TIMEOUT_MS = 10_000;
/** Between attempts that are not likely to help soon: a person has to do something first; ms. */
export const SLOW_RETRY_MS = 15_000;
/** An agent that may leave, and knows of resources that may run, waits so long for the cluster to find and stop them, ms. */
export const LEAVE_PATIENCE_MS = 60_000;
/** How long the last results get to arrive when the agent leaves, ms. */
export const LAST_RESULTS_MS = 10_000;
/** A poll that is answered faster than this is followed by a pause as long, ms: a server that has nothing new must not be asked in a tight loop. */
export const QUICK_ANSWER_MS = 50;
/** Before a node joins anew that was told to, ms: a server that ends every session must not be asked in a tight loop. */
export const REJOIN_PAUSE_MS = 100;
