import { databaseUrlIn, InvalidSetting, MIGRATION_SETTINGS, readSettings, unknownSettings } from '@systole/settings';
import { LeftoverSchema, migrate, SchemaHeld } from './migrate.js';

/**
 * Brings the schema up to date as the database's owner (`DATABASE_URL`), and sees to the role under which the programs run (`SYSTOLE_DATABASE_ROLE`,
 * `SYSTOLE_DATABASE_PASSWORD`).
 */
async function main(): Promise<void> {
  const given = readSettings(MIGRATION_SETTINGS, process.env);
  for (const unknown of unknownSettings(process.env)) process.stderr.write(`${unknown}\n`);
  const { SYSTOLE_DATABASE_ROLE: applicationRole, SYSTOLE_DATABASE_PASSWORD: applicationPassword } = given;
  const done = await migrate(databaseUrlIn(given), {
    ...(applicationRole === undefined ? {} : { applicationRole }),
    ...(applicationPassword === undefined ? {} : { applicationPassword }),
    onWait: (why) => process.stderr.write(`${why}\n`),
  });
  process.stdout.write(done.length === 0 ? 'The schema is up to date.\n' : `Migrations run: ${done.join(', ')}\n`);
}

/** The first process of a container is not ended by a signal that it does not hear. What is under way the database rolls back; whoever waits for the schema must not take it for done. */
function endOn(signal: 'SIGINT' | 'SIGTERM', exitCode: number): void {
  process.once(signal, () => {
    process.stderr.write(`Ended by ${signal}: what was made stays, and what was under way is undone. Start again.\n`);
    process.exit(exitCode);
  });
}

endOn('SIGINT', 130);
endOn('SIGTERM', 143);
main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof LeftoverSchema || error instanceof SchemaHeld || error instanceof InvalidSetting ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
});
