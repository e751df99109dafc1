import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { clock } from '../model/clock.js';
import type { TimelineEntry } from '../model/timeline.js';

const MARKS = { good: '✔', bad: '✖', plain: '•' } as const;

/** What happened, newest first. */
export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }): VNode {
  const [all, setAll] = useState(false);
  const shown = all ? entries : entries.filter(({ routine }) => !routine);
  return (
    <section class="card flush" aria-labelledby="timeline-title">
      <div class="title">
        <h2 id="timeline-title">Events</h2>
        <label class="quiet">
          <input
            type="checkbox"
            checked={all}
            onChange={(event) => {
              setAll(event.currentTarget.checked);
            }}
          />{' '}
          routine too
        </label>
      </div>
      <ol class="timeline" tabIndex={0} aria-labelledby="timeline-title" reversed>
        {shown.map((entry) => (
          <Entry key={entry.version} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

function Entry({ entry: { version, type, actor, occurredAt, text, details, mood } }: { readonly entry: TimelineEntry }): VNode {
  return (
    <li class={mood}>
      <time dateTime={occurredAt} title={`${type} by ${actor}, version ${version}`}>
        {clock(occurredAt)}
      </time>
      <span class="mark" aria-hidden="true">
        {MARKS[mood]}
      </span>
      <span class="text">
        {text}
        {details.length > 0 && (
          <ul>
            {details.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </span>
    </li>
  );
}
