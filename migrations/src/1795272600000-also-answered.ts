import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EVENT_TERMS_OF_ONE, indexEventTerms } from './1795271800000-event-terms.js';

/** What answers several requests is found by each of them: the list `alsoAnswers` has the correlation ids of those whose id it has not. Nothing that was recorded before has such a list. */
const ALSO_ANSWERED = `
    UNION ALL SELECT 'c' || left(id, 255)
    FROM jsonb_array_elements_text(
      CASE jsonb_typeof(event.data->'alsoAnswers') WHEN 'array' THEN event.data->'alsoAnswers' ELSE '[]' END
    ) AS id`;

export class AlsoAnswered1795272600000 implements MigrationInterface {
  readonly name = 'AlsoAnswered1795272600000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(indexEventTerms(`${EVENT_TERMS_OF_ONE}${ALSO_ANSWERED}`));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(indexEventTerms(EVENT_TERMS_OF_ONE));
  }
}
