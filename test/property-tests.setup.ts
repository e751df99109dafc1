import fc from 'fast-check';

/**
 * In CI the property tests draw the same cases each time: a change lands or not by what it changes, and a rare case of something else is no
 * reason against it. Everywhere else each run draws new ones, so that rare cases are found; a failure prints the seed that repeats it.
 */
if (process.env['CI'] === 'true') fc.configureGlobal({ seed: 20_261_121 });
