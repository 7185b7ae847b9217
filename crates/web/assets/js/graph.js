// How the game went: win rate or score after each move, with the worst moves marked.

import { s } from './dom.js';
import { t } from './lang.js';

/** @typedef {{win: number, score: number} | null} Point As Black sees it. */
/** @typedef {{ply: number, loss: number}} Worst */
/** @typedef {import('./values.js').Measure} Measure */
/** @typedef {{measure?: Measure, width?: number, height?: number}} Look Width and height in pixels. */

const LEFT = 46;
const RIGHT = 16;
const TOP = 10;
const BOTTOM = 18;

/**
 * Where plies and values stand in a chart.
 * @param {Point[]} points
 * @param {Look} look
 */
export function scaleOf(points, { measure = 'win', width = 400, height = 140 }) {
  const n = Math.max(1, points.length - 1);
  const scores = points.flatMap((point) => (point ? [Math.abs(point.score)] : []));
  const reach = measure === 'win' ? 0.5 : Math.max(5, Math.ceil(Math.max(0, ...scores) / 5) * 5);
  const middle = TOP + (height - TOP - BOTTOM) / 2;
  /** @param {Point} point */
  const of = (point) => (point === null ? null : measure === 'win' ? point.win - 0.5 : point.score);
  return {
    reach, middle, values: points.map(of),
    x: (/** @type {number} */ ply) => LEFT + (ply / n) * (width - LEFT - RIGHT),
    y: (/** @type {number} */ value) => middle - (value / reach) * (middle - TOP),
    /** The ply at a place. */
    ply: (/** @type {number} */ x) => Math.round(Math.min(1, Math.max(0, (x - LEFT) / (width - LEFT - RIGHT))) * (points.length - 1)),
  };
}

/**
 * The chart of a game.
 * @param {Point[]} points By ply.
 * @param {number} now
 * @param {Worst[]} worst
 * @param {Look} [look]
 */
export function gameGraph(points, now, worst, look = {}) {
  const { measure = 'win', width = 400, height = 140 } = look;
  const { reach, middle, values, x, y } = scaleOf(points, look);
  const bottom = height - BOTTOM;
  const ends = measure === 'win' ? ['100 %', '50 %', '0 %'] : [`B+${reach}`, '0', `W+${reach}`];
  const every = Math.max(10, Math.ceil(points.length / (width / 60) / 10) * 10);
  const plies = Array.from({ length: Math.ceil(points.length / every) }, (_, idx) => idx * every).filter((ply) => ply < points.length);
  return s('svg', { class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label(points, worst) },
    side(TOP + 4, ends[0]), side(middle + 4, ends[1]), side(bottom + 2, ends[2]),
    plies.map((ply) => s('text', { x: x(ply), y: height - 4, 'text-anchor': 'middle' }, ply)),
    s('path', { class: 'axis', d: `M${LEFT} ${TOP}V${bottom}H${width - RIGHT}` }),
    s('path', { class: 'mid', d: `M${LEFT} ${middle}H${width - RIGHT}` }),
    s('path', { class: 'area', d: area(values, x, y, middle) }),
    s('path', { class: 'curve', d: path(values, x, y) }),
    s('path', { class: 'now', d: `M${x(now)} ${TOP}V${bottom}` }),
    worst.map(({ ply }, idx) => {
      const at = y(values[ply] ?? 0);
      const up = at > middle ? -1 : 1;
      return [s('path', { class: 'worst', d: `M${x(ply)} ${at + 3 * up}l-5 ${9 * up}h10z` }),
        s('text', { class: 'worst-text', x: x(ply), y: at + 3 * up + (up > 0 ? 20 : -13) }, idx + 1)];
    }).flat());
}

/**
 * The ply under a click on the chart of these points.
 * @param {MouseEvent} event
 * @param {Point[]} points
 */
export function plyAt(event, points) {
  const chart = event.target instanceof Element ? event.target.closest('svg.chart') : null;
  const matrix = chart instanceof SVGSVGElement ? chart.getScreenCTM() : null;
  if (!matrix || !(chart instanceof SVGSVGElement)) return null;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()).x;
  return scaleOf(points, { width: chart.viewBox.baseVal.width }).ply(at);
}

/**
 * A word beside the axis.
 * @param {number} y
 * @param {string} text
 */
function side(y, text) {
  return s('text', { x: LEFT - 5, y, 'text-anchor': 'end' }, text);
}

/**
 * @param {(number | null)[]} values
 * @param {(ply: number) => number} x
 * @param {(value: number) => number} y
 */
function path(values, x, y) {
  let text = '';
  let isDown = false;
  values.forEach((value, ply) => {
    if (value === null) isDown = false;
    else {
      // A line of no length is drawn as a dot, where nothing is known on either side.
      text += `${isDown ? 'L' : 'M'}${x(ply).toFixed(1)} ${y(value).toFixed(1)}${isDown ? '' : 'h0'}`;
      isDown = true;
    }
  });
  return text;
}

/**
 * The space between a curve and its middle, piece by piece.
 * @param {(number | null)[]} values
 * @param {(ply: number) => number} x
 * @param {(value: number) => number} y
 * @param {number} middle
 */
function area(values, x, y, middle) {
  let text = '';
  for (let ply = 1; ply < values.length; ply++) {
    const [a, b] = [values[ply - 1], values[ply]];
    if (a === null || b === null) continue;
    text += `M${x(ply - 1).toFixed(1)} ${middle}L${x(ply - 1).toFixed(1)} ${y(a).toFixed(1)}L${x(ply).toFixed(1)} ${y(b).toFixed(1)}V${middle}Z`;
  }
  return text;
}

/**
 * @param {Point[]} points
 * @param {Worst[]} worst
 */
function label(points, worst) {
  const known = points.filter((point) => point !== null).length;
  const marked = worst.map(({ ply, loss }) => t('graph.lost', { move: ply, loss: Math.round(100 * loss) })).join(', ');
  return `${t('graph.known', { known, of: points.length })} ${marked && t('graph.worst', { moves: marked })}`;
}
