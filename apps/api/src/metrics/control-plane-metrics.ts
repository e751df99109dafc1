import type { AppendFigures, SessionFigures } from '@systole/control-plane';
import { Counter, Histogram } from 'prom-client';
import type { HttpMetrics } from './http-metrics.js';

/** Most requests that an append takes together. */
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128];

/** Counts what is asked of clusters. */
export function countAppends(metrics: HttpMetrics): AppendFigures {
  const requests = new Histogram({
    name: 'systole_append_requests',
    help: 'How many requests (results, joins, writes of operators …) were stored in one transaction of the event log; the more come at a time, the more go together.',
    buckets: GROUP_SIZES,
    registers: [],
  });
  const events = new Counter({
    name: 'systole_append_events_total',
    help: 'Events that this process stored for requests.',
    registers: [],
  });
  for (const metric of [requests, events]) metrics.register(metric);
  return {
    appended: (group) => {
      requests.observe(group.requests);
      events.inc(group.events);
    },
  };
}

/** Counts what agents report and are given. */
export function countSessions(metrics: HttpMetrics): SessionFigures {
  const acknowledged = new Counter({
    name: 'systole_results_acknowledged_total',
    help: 'Results that were acknowledged to agents; those that came once more, and those that were dropped, included.',
    registers: [],
  });
  const dropped = new Counter({
    name: 'systole_results_dropped_total',
    help: 'Results that were acknowledged and not recorded, as nobody had asked for them (`not-asked-for`), or as of one resource there were too many operations (`too-many-operations`).',
    labelNames: ['reason'],
    registers: [],
  });
  const deliveries = new Counter({
    name: 'systole_deliveries_total',
    help: 'Transactions in which actions were delivered to nodes of a cluster.',
    registers: [],
  });
  const polls = new Counter({
    name: 'systole_delivery_polls_total',
    help: 'Polls of agents that were answered in these transactions; divided by systole_deliveries_total: how many go together.',
    registers: [],
  });
  const actions = new Counter({
    name: 'systole_actions_delivered_total',
    help: 'Actions that polls were answered with; one whose answer was lost is delivered, and counted, again.',
    registers: [],
  });
  for (const metric of [acknowledged, dropped, deliveries, polls, actions]) metrics.register(metric);
  return {
    resultsTaken: (results) => {
      acknowledged.inc(results.acknowledged);
      for (const reason of results.dropped) dropped.inc({ reason });
    },
    delivered: (delivery) => {
      deliveries.inc();
      polls.inc(delivery.polls);
      actions.inc(delivery.actions);
    },
  };
}
