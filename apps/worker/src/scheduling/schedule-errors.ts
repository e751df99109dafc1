/** The scheduler took longer than it may. */
export class ScheduleTimeout extends Error {
  override readonly name = 'ScheduleTimeout';
  constructor(readonly limitMs: number) {
    super(
      `the scheduler did not finish within ${limitMs} ms; the cluster may be larger than this machine can plan: see SCHEDULE_TIMEOUT_MS`,
    );
  }
}

/** The scheduler, or its thread, broke. */
export class ScheduleFailed extends Error {
  override readonly name = 'ScheduleFailed';
}
