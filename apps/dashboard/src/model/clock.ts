const today = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const otherDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });

/** An ISO 8601 time for people: without the day when that is today. */
export function clock(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return (date.toDateString() === new Date().toDateString() ? today : otherDay).format(date);
}
