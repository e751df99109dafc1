import type { components } from '@systole/api-client';
import type { VNode } from 'preact';
import { scoreText } from '../model/explanation.js';

/** What a score is made of, a line for each part. */
export function ScoreSum({ parts }: { readonly parts: readonly components['schemas']['ScorePartDto'][] }): VNode {
  if (parts.length === 0) return <span class="quiet">nothing speaks for or against it</span>;
  return (
    <ul class="sum">
      {parts.map(({ amount, text }, index) => (
        <li key={index}>
          <span class={amount < 0 ? 'amount negative' : 'amount'}>
            {index > 0 && amount >= 0 ? '+' : ''}
            {scoreText(amount)}
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
