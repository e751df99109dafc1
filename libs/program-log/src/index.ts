export * from './outside-log.js';
