export * from './programs/agent.js';
export { databaseUrlIn } from './programs/database.js';
export * from './programs/limits.js';
export * from './programs/programs.js';
export * from './read-settings.js';
export * from './setting.js';
export * from './settings-page.js';
export * from './unknown-settings.js';
