import type { PlantedFault } from '../fault.js';
import { CLUSTER } from './cluster.js';
import { EVENT_STORE } from './event-store.js';
import { EXECUTION } from './execution.js';
import { SERVER } from './server.js';
import { SESSION } from './session.js';

/** All faults, in the order in which they are planted. */
export const FAULTS: readonly PlantedFault[] = [...CLUSTER, ...EVENT_STORE, ...EXECUTION, ...SERVER, ...SESSION];
