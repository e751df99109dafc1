/** What the server does, done for nobody in memory, so that its code is quick before somebody waits for it. Start at `rehearse`. */
export { rehearse } from './rehearse.js';
