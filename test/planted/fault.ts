/** A suite that is to find a fault: vitest's project, and the file that fails. */
export interface Suite {
  readonly project: 'unit' | 'integration' | 'e2e';
  /** From the root of the repository. */
  readonly file: string;
}

/** A mistake that somebody could make in the product, and the suite that must notice it. */
export interface PlantedFault {
  /** Kebab case; names it on the command line. */
  readonly id: string;
  /** What goes wrong for users. */
  readonly what: string;
  /** From the root of the repository. */
  readonly file: string;
  /** The right code: occurs exactly once in the file. */
  readonly right: string;
  /** What stands there instead. It compiles wherever the suite needs compiled code. */
  readonly wrong: string;
  readonly foundBy: Suite;
}

/** The source with the fault in it. @throws {StaleFault} when the right code is not there exactly once */
export function plant(fault: PlantedFault, source: string): string {
  const parts = source.split(fault.right);
  if (parts.length !== 2) throw new StaleFault(fault, parts.length - 1);
  return parts.join(fault.wrong);
}

/** The code has moved on since the fault was written down. */
export class StaleFault extends Error {
  override readonly name = 'StaleFault';

  constructor(fault: PlantedFault, times: number) {
    super(`${fault.id}: what it replaces occurs ${String(times)} times in ${fault.file}, not once; write the fault anew`);
  }
}
