/** Connections to PostgreSQL of an api process in all, when nothing else is said. Two apis and two workers leave room within the 100 that PostgreSQL takes by default. */
export const DEFAULT_CONNECTIONS = 20;

/** Outside the pools, one each: two that hear of appended events, one that hears what was handed out, two for the queue. */
const APART = 5;
/** More clusters are hardly delivered to at the same time. */
const MOST_DELIVERIES = 8;
/** Looks go together, one after the other: one that hangs holds up the others, but no lease. */
const LOOKS = 1;

/** How many connections each pool of an api process has. */
export interface ConnectionShares {
  /** Of the front: for leases, tokens and what is read, which wait for nothing. However many clusters are held up, agents keep their leases. */
  readonly front: number;
  /** For reports and the events that follow from them, each of which waits for its stream. */
  readonly appends: number;
  /** For deliveries, which wait for their streams, too. */
  readonly deliveries: number;
  /** For looking whether there is something to deliver, which waits where what is handed out is locked, and for no stream. */
  readonly looks: number;
  /** Of the thread for operators. */
  readonly operators: number;
}

/** @param connections in all, at least `LEAST_API_CONNECTIONS` */
export function sharesOf(connections: number): ConnectionShares {
  const pooled = connections - APART;
  const deliveries = Math.min(MOST_DELIVERIES, Math.floor(pooled / 5));
  const operators = Math.round((pooled - deliveries - LOOKS) / 3);
  const appends = Math.ceil((pooled - deliveries - LOOKS - operators) / 2);
  return { front: pooled - deliveries - LOOKS - operators - appends, appends, deliveries, looks: LOOKS, operators };
}
