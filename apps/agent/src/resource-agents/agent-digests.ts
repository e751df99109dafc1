import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { InstalledAgentProgram } from '@systole/ocf';
import { programMark } from './program-mark.js';

/** A program as it was when it was read. */
interface Read {
  readonly mark: string;
  readonly digest: string;
}

/** Programs are read again only when they were changed. */
export class AgentDigests {
  private known: ReadonlyMap<string, Read> = new Map();

  /** Digests of programs, by path; what can't be read is left out. What is not asked for any more is forgotten. */
  async of(programs: readonly InstalledAgentProgram[]): Promise<ReadonlyMap<string, string>> {
    const read = new Map<string, Read>();
    for (const { path } of programs) {
      const found = await this.read(path).catch(() => undefined);
      if (found !== undefined) read.set(path, found);
    }
    this.known = read;
    return new Map([...read].map(([path, { digest }]) => [path, digest]));
  }

  private async read(path: string): Promise<Read> {
    const mark = await programMark(path);
    const known = this.known.get(path);
    if (known?.mark === mark) return known;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return { mark, digest: hash.digest('hex') };
  }
}
