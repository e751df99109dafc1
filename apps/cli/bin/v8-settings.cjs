'use strict';
// V8's defaults suit servers; these suit a run of a second, and long runs gain by them, too. An unknown setting would be complained of on standard error, so that
// each is for the versions that are known to have it: those of Node.js 20 (11), 22 (12) and 24 (13).
const { setFlagsFromString } = require('node:v8');

const version = Number.parseInt(process.versions.v8, 10);
if (version === 11) {
  // Only what runs for long is optimised: by default a third of the processor time goes into optimised code that is hardly used.
  setFlagsFromString('--interrupt-budget=1000000');
}
if (version >= 11 && version <= 13) {
  // Several threads that collect short-lived objects together wait for one another more than they help.
  setFlagsFromString('--no-parallel-scavenge');
  // What a document is read into lives as long as the run: fewer collections move less of it. With more than 4, small runs pay for room that they don't use.
  setFlagsFromString('--semi-space-growth-factor=4');
  // Nobody waits for answers while memory is collected; at one go it takes less than in small steps beside the work.
  setFlagsFromString('--no-incremental-marking');
}
