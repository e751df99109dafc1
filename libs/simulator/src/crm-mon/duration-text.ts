/** How long something took, in the largest units that fit: `3ms`, `20.003s`, `1m15s`, `2h5m`. @param ms whole milliseconds */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms}ms`;
  const days = Math.floor(ms / 86_400_000);
  const hours = Math.floor(ms / 3_600_000) % 24;
  const minutes = Math.floor(ms / 60_000) % 60;
  const rest = ms % 60_000;
  const seconds = rest % 1_000 === 0 ? String(rest / 1_000) : (rest / 1_000).toFixed(3);
  const parts: readonly (readonly [string, string])[] = [
    [String(days), 'd'],
    [String(hours), 'h'],
    [String(minutes), 'm'],
    [seconds, 's'],
  ];
  return parts.map(([amount, unit]) => (amount === '0' ? '' : `${amount}${unit}`)).join('');
}
