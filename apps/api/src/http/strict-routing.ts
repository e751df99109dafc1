import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';

/**
 * Nest on an Express whose routes match their exact paths only: a path in other letters or with a slash at its end is another one. Whatever looks at paths
 * besides the router (the front, rates, body limits) then sees each route under one spelling. The router takes these settings when it is made, which the
 * adapter does at once: later is too late.
 */
export function strictRouting(): ExpressAdapter {
  const server = express();
  server.enable('case sensitive routing');
  server.enable('strict routing');
  return new ExpressAdapter(server);
}
