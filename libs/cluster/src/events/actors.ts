/** Who decides what follows from what was asked and reported. */
export const WORKER_ACTOR = 'worker';

const AGENT = 'agent:';

/** How people are named who hold a token, and those whom an OpenID provider vouches for; a program of the server is none of them. */
const PEOPLE = ['user:', 'oidc:'];

/** The node whose agent an actor is; undefined for others. */
export function agentNode(actor: string): string | undefined {
  return actor.startsWith(AGENT) ? actor.slice(AGENT.length) : undefined;
}

/** Whether an actor asks for what a person, or a program in a person's place, wants. */
export function isPerson(actor: string): boolean {
  return PEOPLE.some((prefix) => actor.startsWith(prefix));
}
