import { fileURLToPath } from 'node:url';

/** Root of the checkout in which the demonstration runs. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url));
