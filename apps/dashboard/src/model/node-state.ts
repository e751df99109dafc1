import type { components } from '@systole/api-client';

/** A node's state in a word, and how good that is. */
export function nodeState({ unclean, pending, online, standby, maintenance, shutdown }: components['schemas']['NodeDto']): {
  readonly mood: 'good' | 'warn' | 'bad' | 'off';
  readonly text: string;
} {
  if (unclean) return { mood: 'bad', text: 'unclean' };
  if (pending) return { mood: 'warn', text: 'pending' };
  if (!online) return { mood: 'off', text: 'offline' };
  if (shutdown) return { mood: 'warn', text: 'shutting down' };
  if (standby) return { mood: 'warn', text: 'standby' };
  if (maintenance) return { mood: 'warn', text: 'maintenance' };
  return { mood: 'good', text: 'online' };
}
