import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseXml, type XmlElement } from '@systole/cib';
import { scenarioDocument } from '@systole/scheduler/scenarios';
import { findCorpora, openCorpus, readCaseFile } from '../corpus.js';

/** A cluster to mutate. */
export interface Sample {
  readonly name: string;
  readonly document: XmlElement;
  /** Effective time of the case, as its command line gives it. */
  readonly time: string | undefined;
}

export interface Samples {
  /** Where they come from, for the reader of a report. */
  readonly source: string;
  readonly list: readonly Sample[];
}

/** The cases of the corpora in these directories; the clusters of the repository's own scenarios where there are none. */
export function findSamples(directories: readonly string[], repository: string): Samples {
  const corpora = directories.flatMap(findCorpora).map(openCorpus);
  const list = corpora.flatMap((corpus) =>
    corpus.cases.map((testCase) => ({
      name: `${corpus.name}/${testCase.name}`,
      document: parseXml(readCaseFile(corpus, testCase, 'xml')),
      time: wantedTime(testCase.args),
    })),
  );
  if (list.length > 0) return { source: `${list.length} cases of ${corpora.map(({ directory }) => directory).join(', ')}`, list };
  const own = scenarioSamples(`${repository}libs/scheduler/src/scenarios/`);
  return { source: `${own.length} scenarios of the repository, since there is no corpus at ${directories.join(', ')}`, list: own };
}

function scenarioSamples(directory: string): Sample[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.scenario'))
    .flatMap((file) =>
      readFileSync(`${directory}${file}`, 'utf8')
        .split(/^== /m)
        .slice(1)
        .map((text) => {
          const [title = '', ...lines] = text.split('\n');
          const [given = ''] = lines.join('\n').split(/^-{4,}$/m);
          const { document, now } = scenarioDocument(given);
          return {
            name: `${file}: ${title.replace(/ ==$/, '')}`,
            document,
            time: new Date(now * 1000).toISOString().slice(0, 19),
          };
        }),
    );
}

/** The repository's root, seen from a module of this folder, compiled or not. */
export function repositoryRoot(moduleUrl: string): string {
  return fileURLToPath(new URL(moduleUrl.includes('/test/dist/') ? '../../../../' : '../../../', moduleUrl));
}

/** The time alone: what else a case does to its cluster, the fuzzer draws for itself. */
function wantedTime(args: readonly string[]): string | undefined {
  const option = args.indexOf('-t');
  return option < 0 ? undefined : args[option + 1];
}
