import { describe, expect, it } from 'vitest';
import { siteProblems } from './link-check.js';

const problems = (files: Record<string, string>, base = '/'): string[] => siteProblems(new Map(Object.entries(files)), base);

describe('the check of a built site', () => {
  it('has nothing to say of links to pages, folders, anchors and files that are there', () => {
    const files = {
      'index.html':
        '<a href="/guide/a.html#there">a</a> <a href="./guide/">guide</a> <a href="#own">own</a><h2 id="own">x</h2><img src="/assets/p.png">',
      'guide/index.html':
        '<a href="../index.html">up</a> <a href="https://example.org/x#y">elsewhere</a> <a href="mailto:a@example.org">mail</a>',
      'guide/a.html': "<h2 class='x' id='there'>There</h2>",
      'assets/p.png': '',
    };
    expect(problems(files)).toEqual([]);
  });

  it('names a link to a page that is not there', () => {
    expect(problems({ 'guide/a.html': '<a class="x" href="./gone.html">a</a>' })).toEqual([
      'guide/a.html: link "./gone.html": there is no guide/gone.html',
    ]);
  });

  it('names an anchor that its page has not, in another page and in its own', () => {
    const files = { 'a.html': '<a href="/b.html#gone">b</a><a href="#also-gone">a</a>', 'b.html': '<h2 id="there">x</h2>' };
    expect(problems(files)).toEqual([
      'a.html: link "/b.html#gone": b.html has no anchor "gone"',
      'a.html: link "#also-gone": a.html has no anchor "also-gone"',
    ]);
  });

  it('knows the address at which a site is served', () => {
    const files = { 'a.html': '<a href="/docs/b.html">b</a><a href="/b.html">b</a>', 'b.html': '' };
    expect(problems(files, '/docs/')).toEqual(['a.html: link "/b.html": there is no ../b.html']);
  });

  it('names scripts, pictures, style sheets and fonts that a browser would fetch from elsewhere, or in vain', () => {
    const files = {
      'a.html':
        '<script src="https://cdn.example/x.js"></script><link rel="stylesheet" href="//cdn.example/x.css"><img src="./gone.png"><img src="data:image/png;base64,AA">',
      'assets/s.css':
        '@font-face{src:url(https://fonts.example/f.woff2)}@import "//fonts.example/i.css";p{background:url(/assets/own.png)}',
    };
    expect(problems(files)).toEqual([
      'a.html: loads "//cdn.example/x.css" from elsewhere',
      'a.html: loads "https://cdn.example/x.js" from elsewhere',
      'a.html: loads "./gone.png", which is not there',
      'assets/s.css: loads "https://fonts.example/f.woff2" from elsewhere',
      'assets/s.css: loads "//fonts.example/i.css" from elsewhere',
    ]);
  });

  it('does not pass a site without pages', () => {
    expect(() => problems({ 'assets/s.css': '' })).toThrow('has no page');
  });
});
