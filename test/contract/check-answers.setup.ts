// Files of a run share a process (`vitest.config.ts`): `fetch` is replaced when the module is first loaded, not once more by each of them.
import './checked-fetch.js';
