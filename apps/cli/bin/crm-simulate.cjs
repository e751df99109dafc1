'use strict';
require('./run-bundle.cjs')('crm-simulate');
// At once, without giving the memory back piece by piece; everything is written by now.
process.exit();
