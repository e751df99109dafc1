/** Every table that the migrations make, by name; without their own record. */
export const TABLES: readonly string[] = [
  'action_dispatches',
  'advance_failures',
  'api_heartbeats',
  'cluster_claims',
  'clusters',
  'events',
  'idempotency_keys',
  'installation',
  'node_leases',
  'roll_call',
  'snapshot_pieces',
  'snapshots',
  'tokens',
  'transitions',
  'worker_heartbeats',
];
