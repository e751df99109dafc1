/** An event is of a type that this program does not know: a newer release wrote it. What follows from it can't be told, so nothing is. */
export class UnknownEventType extends Error {
  override readonly name = 'UnknownEventType';

  constructor(
    readonly type: string,
    /** Of the event in its stream. */
    readonly version: number,
  ) {
    super(
      `the event log holds, as version ${String(version)}, an event of the type ${type}, which this program does not know: run a newer release`,
    );
  }
}
