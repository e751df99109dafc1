import type { RenderOptions } from '@viz-js/viz';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Look of what the dot text leaves open; colours of lines and texts come from the style sheet. */
function lookOf(rankdir: 'LR' | 'TB'): RenderOptions {
  return {
    graphAttributes: {
      bgcolor: 'transparent',
      rankdir,
      nodesep: rankdir === 'LR' ? 0.12 : 0.2,
      ranksep: rankdir === 'LR' ? 0.4 : 0.3,
      pad: 0.05,
    },
    nodeAttributes: { shape: 'box', fontname: 'Helvetica', fontsize: 11, height: 0.3, margin: '0.12,0.04' },
    edgeAttributes: { arrowsize: 0.6 },
  };
}

/** How much a drawing may shrink; Graphviz counts in points, which are taken for pixels here. */
const LEGIBLE = 0.85;

/** A Graphviz text, laid out by Graphviz itself, which is loaded when it is first needed. */
export function GraphDrawing({ dot, label }: { readonly dot: string; readonly label: string }): VNode {
  const place = useRef<HTMLDivElement>(null);
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    let left = false;
    draw(dot)
      .then((svg) => {
        if (left) return;
        svg.setAttribute('role', 'img');
        svg.setAttribute('aria-label', label);
        // It shrinks to the width that there is, but not until nobody can read it.
        const { width } = svg.viewBox.baseVal;
        svg.removeAttribute('width');
        svg.removeAttribute('height');
        svg.style.minWidth = `${width * LEGIBLE}px`;
        svg.style.maxWidth = `${width}px`;
        place.current?.replaceChildren(svg);
      })
      .catch((error: unknown) => {
        if (!left) setTrouble(error instanceof Error ? error.message : String(error));
      });
    return () => {
      left = true;
    };
  }, [dot, label]);
  if (trouble !== undefined) return <p class="trouble">The graph cannot be drawn: {trouble}</p>;
  return <div class="graph" ref={place} tabIndex={0} role="region" aria-label={label} />;
}

/** Of the layouts from left to right and from top to bottom the narrower one. */
async function draw(dot: string): Promise<SVGSVGElement> {
  const { instance } = await import('@viz-js/viz');
  const viz = await instance();
  const across = viz.renderSVGElement(dot, lookOf('LR'));
  const down = viz.renderSVGElement(dot, lookOf('TB'));
  return down.viewBox.baseVal.width < across.viewBox.baseVal.width ? down : across;
}
