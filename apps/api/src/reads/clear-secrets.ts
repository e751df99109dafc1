import { Injectable } from '@nestjs/common';
import type { OperatorPrincipal } from '@systole/access';
import { heldPairsIn, withClearSecrets, type XmlElement } from '@systole/cib';
import { PostgresSecrets } from '@systole/control-plane-postgres';
import { HttpProblem } from '../http/problem.js';

/** Shows secrets to those who may see them. */
@Injectable()
export class ClearSecrets {
  constructor(private readonly secrets: PostgresSecrets) {}

  /**
   * A document, or a part of one, with the values of its secrets as far as they can be read; references to what lies on nodes, and to what was erased, stay references.
   *
   * @throws {HttpProblem} 403 for who may not see secrets
   */
  async shown(clusterId: string, document: XmlElement, operator: OperatorPrincipal): Promise<XmlElement> {
    requireSight(operator);
    const held = await this.secrets.held(clusterId);
    const values = Object.entries(held).flatMap(([id, { value }]) => (value === undefined ? [] : [[id, value] as const]));
    return withClearSecrets(document, Object.fromEntries(values));
  }
}

/** @throws {HttpProblem} 403 */
export function requireSight({ seesSecrets }: OperatorPrincipal): void {
  if (seesSecrets) return;
  throw new HttpProblem(
    403,
    'right-not-held',
    'this token may not see secrets: leave out secrets=clear, or ask with one that may (systole token create --sees-secrets)',
    {
      errors: [{ parameter: 'secrets', detail: 'needs the right to see secrets' }],
    },
  );
}

/** Paths of the pairs that refer to a secret. */
export function placesOf(id: string, cib: XmlElement): readonly string[] {
  return heldPairsIn(cib).flatMap((pair) => (pair.id === id ? [pair.path] : []));
}
