#!/usr/bin/env node
import '../dist/tools/node-client.js';
