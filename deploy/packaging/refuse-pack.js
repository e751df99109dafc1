// `npm pack` in a checkout would pack its sources, without what the programs need: said instead.
import process from 'node:process';

process.stderr.write('npm pack: a checkout is no package. "npm run package" makes those that can be installed, in packages/\n');
process.exit(1);
