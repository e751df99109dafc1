/**
 * How long ago, ms, `cause` happened, which was dated `momentMs`: the caller knows by which clock.
 *
 * @param version of the event, where two of one cause may bear one date: dates of a log never go back, so all of an hour do after its clock was put back by that
 */
export type ElapsedSince = (cause: string, momentMs: number, version?: number) => number;
