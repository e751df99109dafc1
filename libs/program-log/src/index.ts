export * from './lines-on.js';
export * from './outside-log.js';
