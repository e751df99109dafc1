const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/FAILED|UNCLEAN|OFFLINE/, 'bad'],
  [/standby|maintenance|unmanaged|disabled|BLOCKED/, 'special'],
];

/** The text of a status as a page: each list a list. @param refreshSeconds after which a browser asks again */
export function asHtml(text: string, refreshSeconds: number | undefined): string {
  const refresh = refreshSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${String(refreshSeconds)}">\n`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<title>Cluster Status</title>
<meta charset="utf-8">
${refresh}<style>.bad { color: red } .special { color: blue }</style>
</head>
<body>
${bodyOf(text)}</body>
</html>
`;
}

function bodyOf(text: string): string {
  let depth = 0;
  let html = '';
  const toDepth = (wanted: number): void => {
    for (; depth < wanted; depth += 1) html += '<ul>\n';
    for (; depth > wanted; depth -= 1) html += '</ul>\n';
  };
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [, blanks, item] = /^((?: {2})*)\* (.*)$/.exec(line) ?? [];
    if (blanks === undefined || item === undefined) {
      toDepth(0);
      html += `<h2>${escaped(line.replace(/:$/, '').trim())}</h2>\n`;
      continue;
    }
    toDepth(blanks.length / 2);
    const [, kind] = CLASSES.find(([pattern]) => pattern.test(item)) ?? [];
    html += `<li>${kind === undefined ? escaped(item) : `<span class="${kind}">${escaped(item)}</span>`}</li>\n`;
  }
  toDepth(0);
  return html;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
