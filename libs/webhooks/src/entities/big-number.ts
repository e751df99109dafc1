import type { ValueTransformer } from 'typeorm';

/** A bigint of the database that stays below 2^53: positions and versions of events. */
export const BIG_NUMBER: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};
