import { describe, expect, it } from 'vitest';
import { citationProblems } from './check.js';
import { citationsInCode } from './find-citations.js';

/** Wrong citations are made up here, so the sign is put in: this file is checked, too. */
const S = '\u00a7';
const P = 'P';
const ABSENT = '07';
const placement = `# 04 - Placement

## 9. Merging
See 7.3, (9.2), ${S}9.2.

### 9.2 Many

### 9.3 One node

## 10. Choosing

## 15. Pitfalls

1. First.
2. Second.
`;
const actions = `# 06 - Actions

## Pitfalls

| # | Trap |
|---|---|
| 1 | a table |
`;
const sections = `04 ${S}9 Merging\n04 ${S}9.2 Many\n04 ${S}9.3 One\n04 ${S}10 Choosing\n`;

function problems(files: Readonly<Record<string, string>>): string[] {
  const texts = new Map(
    Object.entries({
      'docs/spec/04-placement.md': placement,
      'docs/spec/06-actions.md': actions,
      'libs/scheduler/src/scenarios/sections.txt': sections,
      ...files,
    }),
  );
  return citationProblems(texts, (path) => texts.has(path) || path === 'docs');
}

const inCode = (text: string): string[] => problems({ 'a.ts': text });

describe('the check of citations', () => {
  it('finds nothing wrong where everything cited exists', () => {
    expect(
      problems({
        'a.ts': `/** (specification 04 ${S}9.2, ${S}9.3 rule 2, ${S}10; 04 P1, P2; 06 P1), specification 04, 06. */`,
        'b.scenario': `# 04 ${S}9.2 to ${S}10, P2`,
      }),
    ).toEqual([]);
  });

  it('finds a section that there is not, says where, and which one is nearest', () => {
    expect(inCode(`\n/** Merges (specification 04 ${S}9.4). */`)).toEqual([
      `a.ts:2: "04 ${S}9.4": 04 has no ${S}9.4; the nearest is ${S}9.3 One node`,
    ]);
  });

  it('finds it on a list, in a range, and where a line ends in between', () => {
    expect(inCode(`04 ${S}9.2, ${S}9.7`)).toHaveLength(1);
    expect(inCode(`04 ${S}9.2/9.7`)).toHaveLength(1);
    expect(inCode(`04 ${S}9.2 to ${S}9.7`)).toHaveLength(1);
    expect(inCode(` * (specification 04\n * ${S}9.7)`)).toHaveLength(1);
    expect(inCode(` * 04 ${S}9.2,\n * ${S}9.7`)).toHaveLength(1);
    expect(inCode(`'first\\n04 ${S}9.7'`)).toHaveLength(1);
  });

  it('finds a pitfall that there is not', () => {
    expect(inCode(`// 04 ${P}3`)).toEqual([`a.ts:1: "04 P3": 04 has no pitfall 3; the nearest is P2`]);
    expect(inCode(`// 06 ${P}2`)).toHaveLength(1);
  });

  it('finds a document that there is not, and a section without document', () => {
    expect(inCode(`specification ${ABSENT}`)[0]).toContain('there is no document 07; there are 04-placement.md, 06-actions.md');
    expect(inCode(`${ABSENT} ${S}1`)).toHaveLength(1);
    expect(inCode(`as ${S}9.2 says`)[0]).toContain('names no document');
  });

  it('leaves the paragraphs of other texts alone', () => {
    const others = ['RFC 9457', 'XML 1.0', 'OCF 1.1', 'OCF Resource Agent API 1.1', 'design'];
    for (const other of others) expect(citationsInCode(`(${other} ${S}99.1)`), other).toEqual([]);
    expect(citationsInCode('2026-01-04 10:00, [0.04, 9.2], 04 10:00')).toEqual([]);
  });

  it.each([
    `${S}9.4`,
    '(9.4)',
    '(9.4 rule 2)',
    'section 9.4',
    '04 9.4',
    '`04-placement.md` 9.4',
    '`04-placement.md` section 11',
    '06 (1)',
    'README 1',
    '04 9.2, 9.4',
    '04-position.md',
    `06 ${P}2`,
  ])('finds %s within the specification', (text) => {
    expect(problems({ 'docs/spec/04-placement.md': placement.replace('See', `${text} See`) })).toHaveLength(1);
  });

  it('takes numbers of other kinds for what they are there, and code for code', () => {
    const text = 'a 9.4 b, feature set (3.0.12), on 2025-01-04 00:00, `(9.4` \n```\n(9.4)\n```\n';
    expect(problems({ 'docs/spec/04-placement.md': placement.replace('See', `${text}See`) })).toEqual([]);
  });

  it('finds a section that is on no list of what scenarios show', () => {
    expect(problems({ 'libs/scheduler/src/scenarios/sections.txt': sections.replace(/.*9\.3.*\n/, '') })).toEqual([
      `docs/spec/04-placement.md:8: "04 ${S}9.3": is not listed in libs/scheduler/src/scenarios/sections.txt`,
    ]);
  });
});

describe('the check of links', () => {
  const links = (text: string): string[] => problems({ 'docs/guide/a.md': text });

  it('follows files, directories and headings', () => {
    expect(
      links(
        `# A title, *here*\n[a](../spec/04-placement.md#92-many) [b](#a-title-here) [c](../../docs) [d](https://x.org/y#z) <img src="a.md">`,
      ),
    ).toEqual([]);
  });

  it('finds files and headings that are not there', () => {
    expect(links('[a](../spec/05.md)')).toEqual(['docs/guide/a.md:1: link "../spec/05.md": there is no docs/spec/05.md']);
    expect(links('\n[a](../spec/04-placement.md#99)')).toEqual([
      'docs/guide/a.md:2: link "../spec/04-placement.md#99": docs/spec/04-placement.md has no heading "99"',
    ]);
    expect(links('[a]: nowhere.md')).toHaveLength(1);
    expect(links('<img alt="x" src="x.png">')).toHaveLength(1);
    expect(links('![x](x.png "title")')).toHaveLength(1);
  });

  it('reads no links in code', () => {
    expect(links('`[a](b)`\n```\n[a](b)\n```')).toEqual([]);
  });
});
