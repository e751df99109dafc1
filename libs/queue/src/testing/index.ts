export { freePort } from './free-port.js';
export * from './processes.js';
