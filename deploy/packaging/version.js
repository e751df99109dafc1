// The one version of everything: that of the root's package.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';

export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

export const VERSION = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')).version;
