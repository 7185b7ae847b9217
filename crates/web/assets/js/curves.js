// Curves over simulations. Each line has its own colour, dash and mark, so that none is told by colour alone.

import { h, s } from './dom.js';

/** @typedef {{label: string, look: number, points: [number, number][], thin?: boolean}} Series */

const DASHES = ['', '7 4', '2 4', '10 4 2 4', '5 3', '1 3'];
const [W, H, LEFT, BOTTOM] = [360, 190, 42, 22];

/** How many lines can be told apart. */
export const LOOKS = DASHES.length;

/**
 * A small mark at a place.
 * @param {number} look
 * @param {number} x
 * @param {number} y
 */
function mark(look, x, y) {
  const fill = `var(--c${look})`;
  switch (look % LOOKS) {
    case 0: return s('circle', { cx: x, cy: y, r: 3.6, fill });
    case 1: return s('rect', { x: x - 3.3, y: y - 3.3, width: 6.6, height: 6.6, fill });
    case 2: return s('path', { d: `M${x} ${y - 4.4}l4.2 7.4h-8.4z`, fill });
    case 3: return s('path', { d: `M${x} ${y - 4.6}l4.6 4.6l-4.6 4.6l-4.6 -4.6z`, fill });
    case 4: return s('path', { d: `M${x - 4} ${y - 4}l8 8M${x + 4} ${y - 4}l-8 8`, stroke: fill, 'stroke-width': 2.2 });
    default: return s('path', { d: `M${x} ${y + 4.4}l4.2 -7.4h-8.4z`, fill });
  }
}

/**
 * The sample of a line for a legend.
 * @param {number} look
 */
export function sample(look) {
  return s('svg', { viewBox: '0 0 36 12', 'aria-hidden': 'true' },
    s('path', { d: 'M1 6H35', stroke: `var(--c${look})`, 'stroke-width': 2, 'stroke-dasharray': DASHES[look], fill: 'none' }), mark(look, 18, 6));
}

/**
 * A chart with a title.
 * @param {string} title
 * @param {Series[]} series
 * @param {{low?: number, high?: number, isShare?: boolean, format?: (y: number) => string}} [scale] A share is never drawn beyond 0 and 1.
 */
export function curves(title, series, { low, high, isShare = false, format = (y) => y.toFixed(2) } = {}) {
  const all = series.flatMap(({ points }) => points);
  const right = Math.max(1, ...all.map(([x]) => x));
  // The first few simulations are noise that would flatten the rest.
  const settled = all.filter(([x]) => x >= 0.04 * right).map(([, y]) => y);
  let bottom = low ?? Math.min(...settled, Infinity);
  let top = high ?? Math.max(...settled, -Infinity);
  if (low === undefined && high === undefined) {
    const room = 0.08 * (top - bottom);
    [bottom, top] = isShare ? [Math.max(0, bottom - room), Math.min(1, top + room)] : [bottom - room, top + room];
  }
  if (!Number.isFinite(bottom) || !Number.isFinite(top)) [bottom, top] = [0, 1];
  if (top - bottom < 1e-6) top = bottom + 1;
  const x = (/** @type {number} */ n) => LEFT + (n / right) * (W - LEFT - 12);
  const y = (/** @type {number} */ v) => 8 + (1 - (v - bottom) / (top - bottom)) * (H - BOTTOM - 8);
  const ticks = [bottom, (bottom + top) / 2, top];
  const lines = series.flatMap(({ look, points, thin }) => {
    const path = points.map(([n, v], idx) => `${idx ? 'L' : 'M'}${x(n).toFixed(1)} ${y(Math.min(top, Math.max(bottom, v))).toFixed(1)}`).join('');
    const line = s('path', {
      d: path, fill: 'none', stroke: `var(--c${look})`, 'stroke-width': thin ? 1.2 : 2, 'stroke-dasharray': thin ? '2 3' : DASHES[look], 'stroke-linejoin': 'round',
    });
    const end = points.at(-1);
    return thin || !end ? [line] : [line, mark(look, x(end[0]), y(Math.min(top, Math.max(bottom, end[1]))))];
  });
  const label = `${title}: ${series.filter(({ thin }) => !thin).map(({ label, points }) => `${label} ${format(points.at(-1)?.[1] ?? 0)}`).join(', ')}`;
  return h('figure', {}, h('figcaption', {}, title),
    s('svg', { class: 'chart', viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': label },
      s('path', { class: 'axis', d: `M${LEFT} 8V${H - BOTTOM}H${W - 12}` }),
      ticks.map((v) => [s('path', { class: 'axis', d: `M${LEFT} ${y(v).toFixed(1)}H${W - 12}`, opacity: 0.5 }), s('text', { x: LEFT - 5, y: y(v) + 4, 'text-anchor': 'end' }, format(v))]).flat(),
      s('text', { x: LEFT, y: H - 6 }, '0'), s('text', { x: W - 12, y: H - 6, 'text-anchor': 'end' }, `${right.toLocaleString('en')} simulations`),
      lines));
}
