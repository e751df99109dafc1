import { describe, expect, it } from 'vitest';
import { parseXml } from '../xml/parse-xml.js';
import { fencingLevelWarnings } from './fencing-level-warnings.js';

const level = (id: string, index: number, target: string): string => `<fencing-level id="${id}" index="${index}" devices="d" ${target}/>`;
const warnings = (...levels: readonly string[]): readonly string[] =>
  fencingLevelWarnings(parseXml(`<configuration><fencing-topology>${levels.join('')}</fencing-topology></configuration>`));

describe('fencing levels that stand in one another’s way', () => {
  it('are those of one index for one target', () => {
    expect(warnings(level('a', 1, 'target="bravo"'), level('b', 1, 'target="Bravo"'), level('c', 2, 'target="bravo"'))).toEqual([
      'fencing levels a, b: all have index 1 for bravo: put their devices into one level, or give each its own index; meanwhile each is tried by itself, in this order',
    ]);
    expect(warnings(level('a', 1, 'target-pattern="b.*"'), level('b', 1, 'target-pattern="b.*"'))).toHaveLength(1);
  });

  it('are none of different targets', () => {
    expect(warnings(level('a', 1, 'target="bravo"'), level('b', 1, 'target="alpha"'), level('c', 1, 'target-pattern="bravo"'))).toEqual([]);
  });
});
