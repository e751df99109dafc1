/** Scores are added as the CIB library says (specification 01 §10.1); here their INFINITY goes by its short name. */
export { addScores, clampScore, INFINITY_SCORE as INFINITY } from '@systole/cib';
