import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import { plant, type PlantedFault, type Suite } from './fault.js';
import type { SuiteReport } from './judge.js';

/** Longest run of one suite, ms: a fault may well make it hang. */
const SUITE_TIMEOUT_MS = 900_000;

/** A copy of the repository, packages and compiled code included, in which faults are planted: the original is never touched. */
export class Checkout {
  private constructor(private readonly directory: string) {}

  static async copyOf(root: string): Promise<Checkout> {
    const directory = await mkdtemp(join(tmpdir(), 'systole-planted-'));
    const left = new Set(['.git', 'data']);
    await cp(root, directory, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !left.has(relative(root, source)),
    });
    return new Checkout(directory);
  }

  /** Runs work on a copy with the fault in it, compiled as far as it compiles; afterwards all is as before. */
  async with<T>(fault: PlantedFault, work: () => Promise<T>): Promise<T> {
    const path = join(this.directory, fault.file);
    const source = await readFile(path, 'utf8');
    await writeFile(path, plant(fault, source));
    try {
      await this.#compile(fault);
      return await work();
    } finally {
      await writeFile(path, source);
      await this.#compile(fault);
    }
  }

  async run({ project, file }: Suite): Promise<SuiteReport> {
    const report = join(this.directory, 'planted-report.json');
    await rm(report, { force: true });
    const { failed, all } = await execa('npx', ['vitest', 'run', '--project', project, file, '--reporter=json', `--outputFile=${report}`], {
      cwd: this.directory,
      // One chance for each test: a second one would hide what fails now and then.
      env: { CI: '' },
      all: true,
      reject: false,
      timeout: SUITE_TIMEOUT_MS,
      forceKillAfterDelay: 5_000,
    });
    const text = await readFile(report, 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as SuiteReport;
    const message = failed ? all.slice(-500) : 'the suite left no report';
    return { numPassedTests: 0, testResults: [{ status: 'failed', message, assertionResults: [] }] };
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Unit tests read the sources; what runs as a process of its own is compiled. */
  async #compile({ foundBy }: PlantedFault): Promise<void> {
    if (foundBy.project !== 'unit') await execa('npx', ['tsc', '-b'], { cwd: this.directory, reject: false });
  }
}
