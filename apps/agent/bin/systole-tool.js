#!/usr/bin/env node
import '../dist/tools/writes/operator-main.js';
