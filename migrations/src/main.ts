import { LeftoverSchema, migrate, SchemaHeld } from './migrate.js';

/**
 * Brings the schema up to date as the database's owner (`DATABASE_URL`), and sees to the role under which the programs run (`SYSTOLE_DATABASE_ROLE`,
 * `SYSTOLE_DATABASE_PASSWORD`).
 */
async function main(): Promise<void> {
  const { DATABASE_URL: url, SYSTOLE_DATABASE_ROLE: role, SYSTOLE_DATABASE_PASSWORD: password } = process.env;
  if (url === undefined || url === '') throw new Error('DATABASE_URL is not set: give the database, with the account that owns it');
  const done = await migrate(url, {
    ...(role === undefined || role === '' ? {} : { applicationRole: role }),
    ...(password === undefined || password === '' ? {} : { applicationPassword: password }),
    onWait: (why) => process.stderr.write(`${why}\n`),
  });
  process.stdout.write(done.length === 0 ? 'The schema is up to date.\n' : `Migrations run: ${done.join(', ')}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof LeftoverSchema || error instanceof SchemaHeld ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
});
