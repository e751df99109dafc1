import { z } from 'zod';
import { text, whole, type Wire } from './fields.js';

/** By the agent of the host, while it starts the container. */
export const guestTokenRequest = z.strictObject({
  incarnation: whole('As the join gave it.', { min: 1 }),
  guest: text('Name of the node inside of the container.'),
});

export type GuestTokenRequest = Wire<z.infer<typeof guestTokenRequest>>;

export const guestTokenAnswer = z.object({
  secret: text('Of the token, which stands in the place of all that the node had.', { max: 200 }),
});

export type GuestTokenAnswer = Wire<z.infer<typeof guestTokenAnswer>>;
