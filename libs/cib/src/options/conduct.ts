/**
 * What becomes of something that a configuration may say, beside Pacemaker: the same (neither is given), something else, or it is not taken in. There is no fourth: nothing is accepted and
 * left without effect.
 */
export type Conduct =
  | { readonly differs?: undefined; readonly refused?: undefined }
  /** What happens otherwise than in Pacemaker, for people. */
  | { readonly differs: string; readonly refused?: undefined }
  /** Why a write that brings it in is refused unless it is forced, for people; what asks for no more than what happens anyway is taken. */
  | { readonly refused: string; readonly differs?: undefined };

/** In a word, for tables. */
export type ConductWord = 'same' | 'differs' | 'refused';

export function conductOf({ differs, refused }: Conduct): ConductWord {
  if (refused !== undefined) return 'refused';
  return differs === undefined ? 'same' : 'differs';
}

/** A sentence that follows the meaning on a reference page; empty where it is the same. */
export function conductSentence({ differs, refused }: Conduct): string {
  if (refused !== undefined) return ` Refused, unless it is forced: ${refused}.`;
  return differs === undefined ? '' : ` Otherwise than in Pacemaker: ${differs}.`;
}
