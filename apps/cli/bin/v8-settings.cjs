'use strict';
// V8's defaults suit servers; these suit a run of a second, and long runs take as long as before. The settings are known to be there in Node.js 20 to 24.
const { setFlagsFromString } = require('node:v8');

if (/^1[1-3]\./.test(process.versions.v8)) {
  // Only what runs for long is optimised: by default a third of the processor time goes into optimised code that is hardly used.
  setFlagsFromString('--interrupt-budget=1000000');
  // Several threads that collect short-lived objects together wait for one another more than they help.
  setFlagsFromString('--no-parallel-scavenge');
}
