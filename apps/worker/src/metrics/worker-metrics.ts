import type { EndedFencing, PlanTimes, WorkerFigures, WorkerLoad } from '@systole/control-plane';
import type { QueueHealth } from '@systole/queue';
import { Counter, Gauge, Histogram, Registry, type Metric, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** What there is to show, for whoever shows it together with metrics of others. */
export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

/** What is asked for whenever somebody looks. */
export interface WorkerSources {
  readonly load: () => WorkerLoad;
  readonly scheduling: () => { readonly waitingRuns: number; readonly busyThreads: number };
  /** Connections to the database, and work that waits for one. */
  readonly database: () => { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };
  /** Answers within a second or two, also when the queue is away. */
  readonly queue: () => Promise<QueueHealth>;
  /** Of the states of clusters in memory, bytes. */
  readonly states: () => { readonly bytes: number; readonly mostBytes: number };
  /** How many there are of them. */
  readonly webhooks: () => Readonly<Record<(typeof WEBHOOK_STATES)[number] | 'lagMs', number>>;
}

/** Bounds of what is counted, s: from a small cluster to one at the limit on how long a run may take. */
const PLANNED_WITHIN = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60];

/** Bounds of what agents and fence devices carry out, s: from a stop of something small to a database that is recovered, and a device that waits for its time-out. */
const CARRIED_OUT_WITHIN = [0.1, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 900, 3_600];

/** Prometheus metrics of what a worker does. */
export class WorkerMetrics implements WorkerFigures {
  private readonly registry = new Registry();
  private readonly handedOutActions = this.counter(
    'systole_actions_handed_out_total',
    'Actions of transitions that were handed out to agents; fencing not included.',
  );
  private readonly takenBackActions = this.counter(
    'systole_actions_taken_back_total',
    'Actions that were handed out and taken back before their agent saw them, as the transition was called off.',
  );
  private readonly answers = new Counter({
    name: 'systole_actions_answered_total',
    help: 'Actions that agents answered while this worker had their cluster, by whether that was what the transition expected; what is `unexpected` calls the transition off. What is answered while a cluster passes to another worker is counted by neither.',
    labelNames: ['answer'],
    registers: [this.registry],
  });
  private readonly givenUpActions = this.counter(
    'systole_actions_given_up_total',
    'Actions that nobody answered: time ran out, or the node was lost. Where it grows, agents or the network are in trouble.',
  );
  private readonly planSeconds = new Histogram({
    name: 'systole_plan_duration_seconds',
    help: 'Time from when a worker found a plan to be due to the plan standing in the log: the wait for a scheduling thread, the scheduler, storing it, and plans that were overtaken.',
    buckets: PLANNED_WITHIN,
    registers: [this.registry],
  });
  private readonly schedulerSeconds = new Histogram({
    name: 'systole_scheduler_duration_seconds',
    help: 'What of it the scheduler itself took, for the plan that stands. Much less than systole_plan_duration_seconds: plans wait, for threads or the database.',
    buckets: PLANNED_WITHIN,
    registers: [this.registry],
  });
  private readonly overtakenPlans = this.counter(
    'systole_plans_overtaken_total',
    'Plans that were dropped as what they rest on had changed before they stood in the log; many: the clusters change faster than they are planned.',
  );
  private readonly endedTransitions = new Counter({
    name: 'systole_transitions_ended_total',
    help: 'Transitions that ended, by outcome; `aborted`: called off, by a result, a change or a lost node, and planned anew.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  private readonly transitionSeconds = new Histogram({
    name: 'systole_transition_duration_seconds',
    help: 'Time from when this worker first moved a transition to its end, by outcome; what it waits for agents included.',
    labelNames: ['outcome'],
    buckets: CARRIED_OUT_WITHIN,
    registers: [this.registry],
  });
  private readonly fencings = new Counter({
    name: 'systole_fencing_attempts_total',
    help: 'Attempts to fence nodes (or to unfence them: `on`) that ended, by what the device was told and how it ended.',
    labelNames: ['action', 'outcome'],
    registers: [this.registry],
  });
  private readonly fencingSeconds = new Histogram({
    name: 'systole_fencing_duration_seconds',
    help: 'Time from when this worker first saw such an attempt to be under way to its end, by how it ended.',
    labelNames: ['outcome'],
    buckets: CARRIED_OUT_WITHIN,
    registers: [this.registry],
  });
  private readonly turnSeconds = new Histogram({
    name: 'systole_event_wait_seconds',
    help: 'Time from when this worker heard of an event to when it began to move the cluster for it: for a free place, for the move before, for the claim.',
    buckets: PLANNED_WITHIN,
    registers: [this.registry],
  });
  private readonly queueSeconds = new Histogram({
    name: 'systole_queue_wait_seconds',
    help: 'Time from when a job of the queue was due to when this worker began it; by the clocks of both.',
    buckets: PLANNED_WITHIN,
    registers: [this.registry],
  });
  private readonly webhookAttempts = new Counter({
    name: 'systole_webhook_attempts_total',
    help: 'Attempts of this worker to deliver webhooks, by outcome; tests and redeliveries included.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  constructor({ load, scheduling, database, queue, states, webhooks }: WorkerSources) {
    for (const outcome of ATTEMPTS) this.webhookAttempts.inc({ outcome }, 0);
    new Gauge({
      name: 'systole_webhooks',
      help: 'Webhooks by state: enabled; of those, failing (the next event could not be delivered yet); disabled, by a person or by the server. Every worker shows the same.',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        const counted = webhooks();
        for (const state of WEBHOOK_STATES) this.set({ state }, counted[state]);
      },
    });
    this.show(
      'systole_webhook_lag_seconds',
      'Age of the oldest event that one of the enabled webhooks has not got past, s; up to 30 where all keep up. Every worker shows the same.',
      () => webhooks().lagMs / 1_000,
    );
    for (const answer of ANSWERS) this.answers.inc({ answer }, 0);
    for (const outcome of OUTCOMES) {
      this.endedTransitions.inc({ outcome }, 0);
      this.transitionSeconds.zero({ outcome });
    }
    for (const outcome of FENCING_OUTCOMES) {
      this.fencingSeconds.zero({ outcome });
      for (const action of FENCING_ACTIONS) this.fencings.inc({ action, outcome }, 0);
    }
    new Gauge({
      name: 'systole_queue_jobs',
      help: 'Jobs of the queue: waiting (due), active (being run), delayed (timers, and what is tried again later). Every worker shows the same; absent while the queue is away.',
      labelNames: ['state'],
      registers: [this.registry],
      async collect() {
        const health = await queue();
        this.reset();
        if (health.status === 'up') for (const [state, jobs] of Object.entries(health.jobs)) this.set({ state }, jobs);
      },
    });
    this.show(
      'systole_fencing_pending',
      'Attempts to fence nodes that are under way, in the clusters that this worker attends.',
      () => load().fencingPending,
    );
    this.show(
      'systole_fencing_open',
      'Nodes that are to be fenced or unfenced there, also those for which nothing can be tried; what was on them is not started elsewhere meanwhile.',
      () => load().fencingOpen,
    );
    this.show('systole_database_connections', 'Connections to the database that are open in the pools.', () => database().totalCount);
    this.show('systole_database_connections_busy', 'Those of them that are in use.', () => database().totalCount - database().idleCount);
    this.show(
      'systole_database_waiting',
      'Work that waits for a connection, as all of its pool are in use.',
      () => database().waitingCount,
    );
    this.show(
      'systole_clusters_attended',
      'Clusters that this worker has at the moment: it moves them, and no other worker does.',
      () => load().clusters,
    );
    this.show(
      'systole_actions_in_flight',
      'Actions that agents are at, in the clusters that this worker attends.',
      () => load().actionsInFlight,
    );
    this.show(
      'systole_actions_waiting',
      'Actions there that could begin, but for a limit on how many go on at once (batch-limit, node-action-limit, the agent’s, migration-limit).',
      () => load().actionsWaiting,
    );
    this.show(
      'systole_plans_waiting',
      'Plans, and stored graphs that are to be read, that wait for a scheduling thread; for long: more workers are needed.',
      () => scheduling().waitingRuns,
    );
    this.show('systole_scheduling_threads_busy', 'Scheduling threads that are at work.', () => scheduling().busyThreads);
    this.show('systole_graphs_cached_bytes', 'Memory that the graphs of running transitions take, about.', () =>
      Math.round(load().graphBytes),
    );
    this.show(
      'systole_graphs_cached_limit_bytes',
      'Memory that they may take; at the limit graphs are read from the database again and again.',
      () => load().mostGraphBytes,
    );
    this.show('systole_states_cached_bytes', 'Memory that the states of clusters take, about.', () => Math.round(states().bytes));
    this.show(
      'systole_states_cached_limit_bytes',
      'Memory that they may take (SYSTOLE_STATES_MIB); at the limit states are folded from the log again and again.',
      () => states().mostBytes,
    );
  }

  /** Shows one more metric. */
  register(metric: Metric): void {
    this.registry.registerMetric(metric);
  }

  /** Without what belongs to the process. */
  values(): Promise<MetricValues> {
    return this.registry.getMetricsAsJSON();
  }

  /** In the form that Prometheus reads, with what belongs to the process. */
  text(ofProcess: Registry): Promise<string> {
    return Registry.merge([ofProcess, this.registry]).metrics();
  }

  handedOut(actions: number): void {
    this.handedOutActions.inc(actions);
  }

  takenBack(actions: number): void {
    this.takenBackActions.inc(actions);
  }

  answered(asExpected: boolean): void {
    this.answers.inc({ answer: asExpected ? 'expected' : 'unexpected' });
  }

  gaveUp(actions: number): void {
    this.givenUpActions.inc(actions);
  }

  planned({ wantedForMs, schedulerMs }: PlanTimes): void {
    this.planSeconds.observe(wantedForMs / 1_000);
    this.schedulerSeconds.observe(schedulerMs / 1_000);
  }

  overtaken(): void {
    this.overtakenPlans.inc();
  }

  transitionEnded(outcome: (typeof OUTCOMES)[number], tookMs: number): void {
    this.endedTransitions.inc({ outcome });
    this.transitionSeconds.observe({ outcome }, tookMs / 1_000);
  }

  fenced({ action, outcome, tookMs }: EndedFencing): void {
    this.fencings.inc({ action, outcome });
    if (tookMs !== undefined) this.fencingSeconds.observe({ outcome }, tookMs / 1_000);
  }

  turned(waitedMs: number): void {
    this.turnSeconds.observe(waitedMs / 1_000);
  }

  /** A job of the queue was begun. @param waitedMs since it was due */
  jobBegun(waitedMs: number): void {
    this.queueSeconds.observe(waitedMs / 1_000);
  }

  attemptedWebhook(outcome: (typeof ATTEMPTS)[number]): void {
    this.webhookAttempts.inc({ outcome });
  }

  private counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] });
  }

  private show(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }
}

/** Shown from the start, so that the first of a kind is seen as one more. */
const ANSWERS = ['expected', 'unexpected'] as const;
const FENCING_OUTCOMES = ['succeeded', 'failed', 'timeout'] as const;
const FENCING_ACTIONS = ['off', 'reboot', 'on'] as const;
const OUTCOMES = ['complete', 'aborted'] as const;
const ATTEMPTS = ['delivered', 'failed'] as const;
const WEBHOOK_STATES = ['enabled', 'failing', 'disabled'] as const;
