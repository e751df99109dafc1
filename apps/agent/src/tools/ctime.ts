/** A moment as ctime(3) writes it, in UTC. @param seconds epoch seconds */
export function ctime(seconds: number): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = new Date(seconds * 1_000).toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}
