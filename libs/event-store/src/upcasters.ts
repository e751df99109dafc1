import { UnknownSchemaVersion } from './errors.js';

/** Turns the data of one schema version into that of the next. Pure; gets and gives plain JSON values. */
export type Upcast = (data: unknown) => unknown;

/**
 * For each event type, the steps from schema version 1 to 2, 2 to 3, and so on. A type without steps is at version 1. Steps are only ever
 * added at the end: what was released stays readable.
 */
export type UpcasterSteps = Readonly<Record<string, readonly Upcast[]>>;

/** Brings stored events to the current version of their type's schema. */
export class Upcasters {
  readonly #steps: ReadonlyMap<string, readonly Upcast[]>;

  constructor(steps: UpcasterSteps = {}) {
    this.#steps = new Map(Object.entries(steps));
  }

  /** The schema version in which events of this type are written today. */
  currentVersion(type: string): number {
    return 1 + (this.#steps.get(type)?.length ?? 0);
  }

  /** @throws {UnknownSchemaVersion} when the stored version is newer than the current one */
  upcast(type: string, schemaVersion: number, data: unknown): unknown {
    const steps = this.#steps.get(type) ?? [];
    if (schemaVersion > steps.length + 1) throw new UnknownSchemaVersion(type, schemaVersion, steps.length + 1);
    return steps.slice(schemaVersion - 1).reduce((upcast, step) => step(upcast), data);
  }
}
