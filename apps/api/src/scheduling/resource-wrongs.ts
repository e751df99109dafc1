/** What can be wrong with a resource, the worst first. */
export const RESOURCE_WRONGS = [
  'failed',
  'blocked',
  'multiply-active',
  'unknown',
  'held',
  'stopped',
  'degraded',
  'unmanaged',
  'no-longer-configured',
] as const;
export type ResourceWrong = (typeof RESOURCE_WRONGS)[number];
