import { calendarDate, DAY_SECONDS } from '@systole/cib';

const WEEKDAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A moment as `ctime()` writes it: `Tue Nov 14 22:13:20 2023`. */
export function dateText(epochSeconds: number, localOffsetSeconds = 0): string {
  const local = epochSeconds + localOffsetSeconds;
  const { year, month, day } = calendarDate(Math.floor(local / DAY_SECONDS));
  // The first of January 1970 was a Thursday.
  const weekday = WEEKDAYS[((Math.floor(local / DAY_SECONDS) % 7) + 7) % 7] ?? '';
  return `${weekday} ${MONTHS[month - 1] ?? ''} ${String(day).padStart(2)} ${timeText(local)} ${year}`;
}

/** A moment as `YYYY-MM-DD HH:MM:SSZ`. */
export function utcText(epochSeconds: number): string {
  const { year, month, day } = calendarDate(Math.floor(epochSeconds / DAY_SECONDS));
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${timeText(epochSeconds)}Z`;
}

function timeText(epochSeconds: number): string {
  const second = ((epochSeconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
  return [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60].map(two).join(':');
}

const two = (value: number): string => String(value).padStart(2, '0');
