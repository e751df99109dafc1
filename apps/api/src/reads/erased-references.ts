import { Injectable } from '@nestjs/common';
import { heldPairsIn, type ConfigurationFinding, type XmlElement } from '@systole/cib';
import { PostgresSecrets } from '@systole/control-plane-postgres';
import type { FurtherFindings } from '../findings/shown-findings.js';

/** References of configurations to secrets that were erased. */
@Injectable()
export class ErasedReferences {
  constructor(private readonly secrets: PostgresSecrets) {}

  /** Asks nobody about a configuration that refers to none. */
  async findings(clusterId: string, cib: XmlElement): Promise<readonly ConfigurationFinding[]> {
    const pairs = heldPairsIn(cib);
    if (pairs.length === 0) return [];
    const erased = await this.secrets.erased(clusterId, [...new Set(pairs.map(({ id }) => id))]);
    return pairs
      .filter(({ id }) => erased.has(id))
      .map(({ owner, parameter, path, pair }) => {
        const { id } = pair.attributes;
        return {
          ...{ kind: 'erased-secret', level: 'error', path, element: pair.name, subject: owner, attribute: 'value' },
          ...(id === undefined ? {} : { id }),
          message: `${parameter} of ${owner}: the secret that it refers to was erased: give its value anew`,
          meanwhile: 'what needs it fails, from the next time on that it is started',
        };
      });
  }

  /** Those of a configuration that was changed, and of what was there before. */
  async findingsAfter(clusterId: string, cib: XmlElement, before: XmlElement): Promise<FurtherFindings> {
    const after = await this.findings(clusterId, cib);
    return { after, before: after.length === 0 ? [] : await this.findings(clusterId, before) };
  }
}
