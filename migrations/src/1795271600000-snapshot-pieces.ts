import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a large snapshot goes on with after its first piece, which stands in `snapshots`: written before that and counted there, so that no piece is anything by
 * itself. Text: it is read as JSON by whoever wrote it, and looked into by nobody else.
 */
const PIECES = `
CREATE TABLE snapshot_pieces (
  stream_id text COLLATE "C" NOT NULL,
  schema text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  piece integer NOT NULL CHECK (piece > 0),
  text text NOT NULL,
  PRIMARY KEY (stream_id, schema, version, piece)
)`;

export class SnapshotPieces1795271600000 implements MigrationInterface {
  readonly name = 'SnapshotPieces1795271600000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(PIECES);
    await queryRunner.query('ALTER TABLE snapshots ADD COLUMN pieces integer NOT NULL DEFAULT 0 CHECK (pieces >= 0)');
  }

  /** The first pieces alone are no snapshots. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DELETE FROM snapshots WHERE pieces > 0');
    await queryRunner.query('ALTER TABLE snapshots DROP COLUMN pieces');
    await queryRunner.query('DROP TABLE snapshot_pieces');
  }
}
