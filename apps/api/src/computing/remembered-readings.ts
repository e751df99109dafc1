import { readConfiguration, type ConfigurationReading } from '@systole/cluster';

/** Documents that are remembered. */
const KEPT = 3;

const readings = new Map<string, ConfigurationReading>();

/**
 * Reads a document, as `readConfiguration` does, and remembers those that were read last in this thread: what is asked about a document before its command is decided, and a command that met a conflict and is
 * decided again on the next state, need not read it again.
 */
export function rememberedReading(text: string): ConfigurationReading {
  const reading = readings.get(text) ?? readConfiguration(text);
  readings.delete(text);
  readings.set(text, reading);
  for (const oldest of readings.keys()) {
    if (readings.size <= KEPT) break;
    readings.delete(oldest);
  }
  return reading;
}
