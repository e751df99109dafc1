import { describeEvent, versionText } from '@systole/cluster';
import type { WriteInterrupted } from '../interruption.js';
import { clusterEvent } from './cluster-event.js';

const LOOK_ON = 'The cluster goes on with it: "systole status --watch" shows how far it is, "systole events --follow" what happens.';

/** What a person is told who has interrupted a write. */
export function renderInterrupted({ outcome: became }: WriteInterrupted): readonly string[] {
  switch (became.outcome) {
    case 'made': {
      const { events } = became.result;
      const version = versionText(became.result);
      if (events.length === 0) return [`Interrupted. There was nothing to change (version ${version}).`];
      const what = events.map((event) => `  ${describeEvent(clusterEvent(event), 'you').text}`);
      return [`Interrupted while waiting. The change was made and stands: version ${version}.`, ...what, LOOK_ON];
    }
    case 'not-made':
      return ['Interrupted before the server had the request, or it was refused: nothing was changed.'];
    case 'unknown':
      return ['Interrupted; the server does not say whether the change was made. "systole events --newest-first" shows.'];
  }
}
