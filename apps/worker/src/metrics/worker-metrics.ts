import type { PlanTimes, WorkerFigures, WorkerLoad } from '@systole/control-plane';
import { Counter, Gauge, Histogram, Registry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** What there is to show, for whoever shows it together with metrics of others. */
export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

/** What is asked for whenever somebody looks. */
export interface WorkerSources {
  readonly load: () => WorkerLoad;
  readonly scheduling: () => { readonly waitingRuns: number; readonly busyThreads: number };
  /** Of the states of clusters in memory, bytes. */
  readonly states: () => { readonly bytes: number; readonly mostBytes: number };
  /** How many there are of them. */
  readonly webhooks: () => Readonly<Record<(typeof WEBHOOK_STATES)[number] | 'lagMs', number>>;
}

/** Bounds of what is counted, s: from a small cluster to one at the limit on how long a run may take. */
const PLANNED_WITHIN = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60];

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

  private readonly webhookAttempts = new Counter({
    name: 'systole_webhook_attempts_total',
    help: 'Attempts of this worker to deliver webhooks, by outcome; tests and redeliveries included.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  constructor({ load, scheduling, states, webhooks }: WorkerSources) {
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
    for (const outcome of OUTCOMES) this.endedTransitions.inc({ outcome }, 0);
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

  transitionEnded(outcome: (typeof OUTCOMES)[number]): void {
    this.endedTransitions.inc({ outcome });
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
const OUTCOMES = ['complete', 'aborted'] as const;
const ATTEMPTS = ['delivered', 'failed'] as const;
const WEBHOOK_STATES = ['enabled', 'failing', 'disabled'] as const;
