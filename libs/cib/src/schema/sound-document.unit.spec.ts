import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyElement } from '../elements/elements.fixture.js';
import { element, type XmlElement } from '../xml/element.js';
import { parseXml } from '../xml/parse-xml.js';
import { findMistakes, findOptionMistakes } from './find-mistakes.js';
import { isSurelySound } from './sound-document.js';
import { validateCib } from './validate-cib.js';

const ROOT = { 'validate-with': 'pacemaker-4.0', epoch: '1', num_updates: '0', admin_epoch: '0' };
const SECTIONS = ['crm_config', 'nodes', 'resources', 'constraints', 'tags'] as const;

function documentOf(sections: Readonly<Record<string, readonly XmlElement[]>>): XmlElement {
  return element('cib', ROOT, [
    element(
      'configuration',
      {},
      SECTIONS.map((name) => element(name, {}, [...(sections[name] ?? [])])),
    ),
    element('status'),
  ]);
}

const sound = (id: string): XmlElement => parseXml(`<primitive id="${id}" class="ocf" provider="heartbeat" type="Dummy"/>`);
const ids = fc.constantFrom('a', 'b', 'c', 'd');
/** Some that are right by themselves and wrong together. */
const anyKnown = fc.oneof(
  ids.map((id) => ({ section: 'resources', part: sound(id) })),
  fc
    .tuple(ids, ids)
    .map(([id, rsc]) => ({ section: 'constraints', part: parseXml(`<rsc_location id="l-${id}" rsc="${rsc}" node="n" score="1"/>`) })),
  ids.map((id) => ({ section: 'nodes', part: parseXml(`<node id="${id}" uname="${id === 'd' ? 'A' : id}"/>`) })),
  fc.tuple(ids, ids).map(([id, to]) => ({ section: 'tags', part: parseXml(`<tag id="t-${id}"><obj_ref id="${to}"/></tag>`) })),
);
const anyPart = fc.oneof(
  { weight: 5, arbitrary: anyKnown },
  { weight: 1, arbitrary: fc.record({ section: fc.constantFrom(...SECTIONS), part: anyElement }) },
);

function bySection(
  parts: readonly { readonly section: string; readonly part: XmlElement }[],
): Readonly<Record<string, readonly XmlElement[]>> {
  return Object.fromEntries(SECTIONS.map((name) => [name, parts.flatMap(({ section, part }) => (section === name ? [part] : []))]));
}

describe('a document that is looked at part by part', () => {
  it('is called sound exactly if nothing is found in the whole', () => {
    const outcomes = { sound: 0, wrong: 0 };
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 6 }), (parts) => {
        // Options that refer to others are read with the whole.
        fc.pre(!parts.some(({ section, part }) => section === 'crm_config' && JSON.stringify(part).includes('"id-ref"')));
        const document = documentOf(bySection(parts));
        const found = [...validateCib(document), ...findMistakes(document), ...findOptionMistakes(document)];
        expect(isSurelySound(document)).toBe(found.length === 0);
        outcomes[found.length === 0 ? 'sound' : 'wrong'] += 1;
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(outcomes.sound, outcomes.wrong)).toBeGreaterThan(100);
  });

  it('is looked at anew where a part has come to another section', () => {
    const part = sound('a');
    expect(isSurelySound(documentOf({ resources: [part] }))).toBe(true);
    expect(isSurelySound(documentOf({ constraints: [part] }))).toBe(false);
    expect(isSurelySound(documentOf({ resources: [part] }))).toBe(true);
  });

  it('is judged by what it says now, whatever other forms of it were looked at before', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ section: 'resources', part: sound(`r${String(index)}`) }));
    const anyEdits = fc.array(fc.tuple(fc.constantFrom('add', 'add twice', 'take away', 'go back'), anyKnown, fc.nat(299)), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(anyEdits, (edits) => {
        const forms = [many];
        for (const [edit, part, index] of edits) {
          const now = forms.at(-1) ?? many;
          if (edit === 'add') forms.push([...now, part]);
          if (edit === 'add twice') forms.push([...now, part, part]);
          if (edit === 'take away') forms.push(now.toSpliced(index, 1));
          if (edit === 'go back') forms.push(forms.at(-2) ?? many);
          const document = documentOf(bySection(forms.at(-1) ?? many));
          expect(isSurelySound(document)).toBe(validateCib(document).length + findMistakes(document).length === 0);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('costs little more after an edit of one part', () => {
    const parts = Array.from({ length: 4_000 }, (_, index) => sound(`r${String(index)}`));
    const timed = (document: XmlElement): number => {
      const since = performance.now();
      expect(isSurelySound(document)).toBe(true);
      return performance.now() - since;
    };
    const first = timed(documentOf({ resources: parts }));
    const later = Array.from({ length: 9 }, (_, turn) => timed(documentOf({ resources: parts.with(turn, sound(`s${String(turn)}`)) })));
    expect(Math.min(...later)).toBeLessThan(first / 5);
  });

  it('is not judged where it asks not to be validated, or where options refer to what stands elsewhere', () => {
    expect(isSurelySound({ ...documentOf({}), attributes: { ...ROOT, 'validate-with': 'none' } })).toBe(false);
    const referring = parseXml('<cluster_property_set id="o"><nvpair id-ref="p"/></cluster_property_set>');
    expect(isSurelySound(documentOf({ crm_config: [referring] }))).toBe(false);
  });
});
