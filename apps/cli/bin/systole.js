#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { URL } from 'node:url';
import runBundle from './run-bundle.cjs';

// Where only the compiler ran, and no bundle was made, the modules are loaded one by one.
if (existsSync(new URL('../dist/systole.bundle.js', import.meta.url))) runBundle('systole');
else await import('../dist/main.js');
