import { addDuration } from './date-time.js';
import type { DateTime } from './date-time.js';

const DURATION =
  /^P(?!$)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?!$)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/;

/**
 * When a lifetime that begins now ends. Years and months are those of the calendar, as `crm_resource --lifetime` counts them: `P1Y2M` from 24 November ends on 24 January of the year after next.
 *
 * @param text an ISO 8601 duration as people write it: whole, positive, in the order of its units, e.g. `P1DT2H` or `PT30M`
 * @returns undefined when it is none, is nothing, or ends after the year 9999
 */
export function lifetimeEnd(text: string, now: DateTime): DateTime | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const [years, months, weeks, days, hours, minutes, seconds] = match.slice(1).map((number: string | undefined) => Number(number ?? '0'));
  const end = addDuration(now, {
    ...(years === undefined ? {} : { years }),
    ...(months === undefined ? {} : { months }),
    ...(weeks === undefined ? {} : { weeks }),
    ...(days === undefined ? {} : { days }),
    ...(hours === undefined ? {} : { hours }),
    ...(minutes === undefined ? {} : { minutes }),
    ...(seconds === undefined ? {} : { seconds }),
  });
  return end.epochSeconds > now.epochSeconds && end.epochSeconds <= LAST_SECOND ? end : undefined;
}

/** Of the year 9999: later ones can't be written with four digits. */
const LAST_SECOND = 253_402_300_799;
