import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CorpusError, findCorpora, openCorpus } from './corpus.js';
import { firstDifference } from './first-difference.js';
import { normalise } from './normalise.js';
import { falls } from './reached.js';
import { accepts, runCase } from './run-case.js';

const CIB = `<cib validate-with="pacemaker-4.0" epoch="1" num_updates="0" admin_epoch="0" have-quorum="1">
  <configuration><crm_config/><nodes/><resources/><constraints/></configuration>
  <status/>
</cib>`;

const OUTPUTS: Readonly<Record<string, string>> = {
  summary: `Setting effective cluster time: 2026-01-01
Current cluster status:
  * Full List of Resources:
    * No resources

Transition Summary:

Executing Cluster Transition:
Setting effective cluster time: 2026-01-01

Revised Cluster Status:
  * Full List of Resources:
    * No resources
`,
  scores: '\n',
  dot: ' digraph "g" {\n}\n',
  exp: `<transition_graph cluster-delay="60s" fencing-timeout="60s" failed-stop-offset="INFINITY" failed-start-offset="INFINITY"  transition_id="1"/>\n`,
};

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'conformance-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

/** A corpus of one case. */
function makeCorpus(name: string, outputs = OUTPUTS): string {
  const corpus = join(directory, name);
  for (const [kind, text] of Object.entries({ xml: CIB, ...outputs })) {
    mkdirSync(join(corpus, kind), { recursive: true });
    writeFileSync(join(corpus, kind, `empty.${kind}`), text);
  }
  writeFileSync(join(corpus, 'cases.json'), JSON.stringify([{ name: 'empty', args: ['-t', '2026-01-01'] }]));
  return corpus;
}

describe('findCorpora', () => {
  it('finds the corpora in a directory, or takes the directory for one', () => {
    const b = makeCorpus('b');
    const a = makeCorpus('a');
    expect(findCorpora(directory)).toEqual([a, b]);
    expect(findCorpora(a)).toEqual([a]);
    expect(findCorpora(join(directory, 'none'))).toEqual([]);
  });
});

describe('openCorpus', () => {
  it('lists the files when there is no list of cases', () => {
    const corpus = makeCorpus('a');
    rmSync(join(corpus, 'cases.json'));
    expect(openCorpus(corpus).cases).toEqual([{ name: 'empty', args: [] }]);
  });

  it('refuses a directory without cases', () => {
    expect(() => openCorpus(directory)).toThrow(CorpusError);
  });
});

describe('runCase', () => {
  it('finds nothing to say of a case that is right', () => {
    const corpus = openCorpus(makeCorpus('a'));
    expect(corpus.cases.map((testCase) => runCase(corpus, testCase))).toEqual([{ name: 'empty', differences: [] }]);
  });

  it('names each output that differs', () => {
    const corpus = openCorpus(makeCorpus('a', { ...OUTPUTS, dot: ' digraph "g" {\n"x"\n}\n' }));
    const [result] = corpus.cases.map((testCase) => runCase(corpus, testCase));
    expect(result?.differences).toEqual([{ output: 'dot', expected: ' digraph "g" {\n"x"\n}\n', actual: ' digraph "g" {\n}\n' }]);
  });

  it('counts an exit code and what goes to standard error', () => {
    const corpus = openCorpus(makeCorpus('a'));
    writeFileSync(join(corpus.directory, 'xml', 'empty.xml'), CIB.replace('<crm_config/>', ''));
    const [result] = corpus.cases.map((testCase) => runCase(corpus, testCase));
    expect(result?.differences.map(({ output }) => output)).toEqual(['summary', 'scores', 'dot', 'exp']);
    // In the summary standard error counts, as in the reference's own runner.
    expect(result?.differences[0]?.actual).toContain('<configuration> needs a <crm_config>');
    expect(result?.problem).toMatch(/^exit 78 unexpected stderr: /);
  });

  it('survives a case that can not be read', () => {
    const corpus = openCorpus(makeCorpus('a'));
    writeFileSync(join(corpus.directory, 'xml', 'empty.xml'), '<cib');
    const [result] = corpus.cases.map((testCase) => runCase(corpus, testCase));
    expect(result?.differences).toHaveLength(4);
    expect(result?.problem).toMatch(/^exit 65 /);
  });
});

describe('accepts', () => {
  const judge = (text: string): ReturnType<typeof accepts> => {
    const file = join(directory, 'document.xml');
    writeFileSync(file, text);
    return accepts(file);
  };

  it('tells documents that are taken from those that are not, and from what is no document', () => {
    expect(judge(CIB)).toBe(true);
    expect(judge(CIB.replace('epoch="1"', ''))).toBe(false);
    expect(judge('<cib')).toEqual({ exitCode: 65 });
  });

  it('is asked about the documents that a corpus lists', () => {
    const corpus = makeCorpus('a');
    expect(openCorpus(corpus).judgements).toEqual([]);
    writeFileSync(join(corpus, 'rejects.json'), JSON.stringify([{ name: 'x', accepted: false }]));
    expect(openCorpus(corpus).judgements).toEqual([{ name: 'x', accepted: false, file: join(corpus, 'rejects', 'xml', 'x.xml') }]);
    writeFileSync(join(corpus, 'rejects.json'), JSON.stringify([{ name: 'x' }]));
    expect(() => openCorpus(corpus)).toThrow(CorpusError);
  });
});

describe('normalise', () => {
  it('sorts scores and keeps duplicates', () => {
    expect(normalise('scores', 'b\na\nb\n\n')).toBe('\na\nb\nb\n');
  });

  it('sorts what lies between the first and the last line of a drawing, once each', () => {
    expect(normalise('dot', 'z\nc\nb\nc\na\n')).toBe('z\nb\nc\na\n');
  });

  it('drops what changes with the release', () => {
    expect(normalise('exp', '<a crm_feature_set="3.20.5" batch-limit="0"/>\n')).toBe('<a  />\n');
  });
});

describe('falls', () => {
  const counts = { cases: 10, summary: 9, scores: 9, dot: 9, exp: 9, all: 8 };

  it('names what fell, and only that', () => {
    expect(falls({ a: counts }, { a: { ...counts, dot: 7, exp: 10 } })).toEqual(['a: dot fell from 9 to 7']);
  });

  it('names documents that are no longer judged alike, of the same number of them', () => {
    const before = { ...counts, documents: 5, judged: 5 };
    expect(falls({ a: before }, { a: { ...counts, documents: 5, judged: 4 } })).toEqual(['a: judged fell from 5 to 4']);
    expect(falls({ a: before }, { a: { ...counts, documents: 1, judged: 0 } })).toEqual([]);
  });

  it('does not compare a part of a corpus with the whole', () => {
    expect(falls({ a: counts }, { a: { ...counts, cases: 1, dot: 1 }, b: counts })).toEqual([]);
  });
});

describe('firstDifference', () => {
  it('shows the line with those before it', () => {
    expect(firstDifference('a\nb\nc\n', 'a\nb\nx\n')).toBe('  line 3:\n    a\n    b\n  - c\n  + x');
    expect(firstDifference('a', 'a\nb')).toBe('  line 2:\n    a\n  - (end)\n  + b');
  });
});
