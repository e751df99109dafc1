import type { ArchiveVerdict, EvidenceVerdict } from '@systole/event-store';
import { shownAsOneLine } from '@systole/protocol';

/** What the verification of a file of evidence found, for people. */
export function renderVerdict(verdict: EvidenceVerdict): readonly string[] {
  const { intact, restored, events, streams, statements, signedUntil, published, keys, keysCompared, streamsLeftOut, faults } =
    shownAsOneLine(verdict);
  const what = `${String(events)} events in ${String(streams)} streams, ${String(statements)} signed statements`;
  const lines = [`${intact ? 'Intact' : restored ? 'NOT INTACT, RESTORED as the log itself tells' : 'NOT INTACT'}: ${what}.`];
  for (const { fault, streamId, version, statement, detail } of faults) {
    const where = [
      ...(streamId === undefined ? [] : [`of ${streamId}`]),
      ...(version === undefined ? [] : [`at version ${String(version)}`]),
      ...(statement === undefined ? [] : [`by statement ${String(statement)}`]),
    ].join(' ');
    lines.push(`  ${fault}${where === '' ? '' : ` ${where}`}: ${detail}`);
  }
  if (streamsLeftOut > 0) lines.push(`It is a part: ${String(streamsLeftOut)} other streams were signed, and are not in it.`);
  if (signedUntil === undefined) {
    lines.push('NOTHING IS SIGNED: it fits together, as what was written anew as a whole would, too.');
    return lines;
  }
  lines.push(`Signed until ${signedUntil}; ${coverage(verdict)}`);
  if (published === 0) {
    lines.push(
      'NO PUBLISHED STATEMENT WAS COMPARED: events that were cut off together with the statements on them are found with --heads only.',
    );
  }
  if (!keysCompared) lines.push(`Signed with the key ${keys.join(', ')}: compare it with the one that you trust, or give that with --key.`);
  return lines;
}

/** How much of a file no statement covers. */
function coverage({ events, streams, unsignedEvents, unsignedStreams, unsignedSince = 'then' }: EvidenceVerdict): string {
  if (unsignedEvents === 0) return 'the statements cover all events.';
  const share = `${String(unsignedEvents)} of the ${String(events)} events, in ${String(unsignedStreams)} of the ${String(streams)} streams`;
  return `NO STATEMENT COVERS ${share}, from ${unsignedSince} on: whether their end was cut off, or they were written anew, nobody can tell.`;
}

/** What the verification of an archive found, for people. */
export function renderArchiveVerdict(verdict: ArchiveVerdict): readonly string[] {
  const { intact, events, streams, files, signedFiles, keys, faults } = shownAsOneLine(verdict);
  const what = `${String(events)} events of ${String(streams)} streams in ${String(files)} files`;
  const signed =
    signedFiles === 0
      ? 'NOTHING IS SIGNED: it fits together, as what was written anew as a whole would, too.'
      : `${String(signedFiles)} files have an event that was signed, with the key ${keys.join(', ')}: compare it with the one that you trust, or give that with --key.`;
  return [
    intact ? `Intact: ${what}.` : `NOT INTACT: ${what}.`,
    ...faults.map(({ streamId, file, detail }) => `  ${file} of ${streamId}: ${detail}`),
    signed,
  ];
}
