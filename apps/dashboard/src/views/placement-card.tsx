import type { components } from '@systole/api-client';
import type { VNode } from 'preact';
import { placeText, scoreText } from '../model/explanation.js';
import { Badge } from './badge.js';
import { ScoreSum } from './score-sum.js';

type Placement = components['schemas']['PlacementDto'];
type Candidate = components['schemas']['CandidateDto'];

/** Why a primitive is where it is: the decision in a sentence, and every candidate with its score as a sum. */
export function PlacementCard({ placement }: { readonly placement: Placement }): VNode {
  const { resource, within, failed, text, candidates, moreCandidates, promotion } = placement;
  const { now, next } = placeText(placement);
  const title = `why-${resource}`;
  return (
    <section class="card flush" aria-labelledby={title}>
      <div class="title">
        <h2 id={title}>
          {resource} {within.length > 0 && <span class="quiet">in {within.join(', ')}</span>}
        </h2>
        <span>
          {failed && <Badge mood="bad">failed</Badge>} <span class={now === 'Stopped' ? 'role off' : 'role good'}>{now}</span>{' '}
          {next !== undefined && <span class="planned">→ {next}</span>}
        </span>
      </div>
      <p class="pad">{text}</p>
      {candidates.length > 0 && (
        <div class="scroll" role="region" aria-labelledby={title} tabIndex={0}>
          <table class="candidates">
            <thead>
              <tr>
                <th scope="col">Node</th>
                <th scope="col" class="number">
                  Score
                </th>
                <th scope="col">Made of</th>
              </tr>
            </thead>
            <tbody>
              {candidates.map((candidate) => (
                <CandidateRow key={candidate.node} candidate={candidate} chosen={candidate.node === placement.node} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {moreCandidates !== undefined && <p class="quiet pad">And {moreCandidates} more nodes.</p>}
      {promotion !== undefined && (
        <div class="pad promotion">
          <p>{promotion.text}</p>
          <p>
            Promotion score <strong>{scoreText(promotion.score)}</strong>
          </p>
          <ScoreSum parts={promotion.parts ?? []} />
        </div>
      )}
    </section>
  );
}

function CandidateRow({ candidate, chosen }: { readonly candidate: Candidate; readonly chosen: boolean }): VNode {
  const { node, score, unusable, parts } = candidate;
  return (
    <tr class={chosen ? 'chosen' : ''}>
      <th scope="row">
        <strong>{node}</strong> {chosen && <Badge mood="good">chosen</Badge>}{' '}
        {unusable !== undefined && <Badge mood="warn">{unusable}</Badge>}
      </th>
      <td class={score < 0 ? 'number negative' : 'number'}>{scoreText(score)}</td>
      <td>
        <ScoreSum parts={parts ?? []} />
      </td>
    </tr>
  );
}
