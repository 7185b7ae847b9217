// How the game went: win rate and score after each move, with the worst moves marked.

import { s } from './dom.js';

/** @typedef {{win: number, score: number} | null} Point As Black sees it. */
/** @typedef {{ply: number, loss: number}} Worst */

const W = 400;
const LEFT = 42;
const RIGHT = 8;

/**
 * Two charts, one above the other.
 * @param {Point[]} points By ply.
 * @param {number} now
 * @param {Worst[]} worst
 */
export function gameGraph(points, now, worst) {
  const n = Math.max(1, points.length - 1);
  const x = (/** @type {number} */ ply) => LEFT + (ply / n) * (W - LEFT - RIGHT);
  const winY = (/** @type {number} */ win) => 14 + (1 - win) * 100;
  const scores = points.flatMap((point) => (point ? [Math.abs(point.score)] : []));
  const reach = Math.max(5, Math.ceil(Math.max(0, ...scores) / 5) * 5);
  const scoreY = (/** @type {number} */ score) => 175 - (score / reach) * 34;
  return s('svg', { class: 'chart', viewBox: `0 0 ${W} 218`, role: 'img', 'aria-label': label(points, worst) },
    side(18, '100 %'), side(68, '50 %'), side(117, '0 %'),
    s('text', { x: LEFT + 4, y: 11 }, 'Black wins'),
    s('path', { class: 'axis', d: `M${LEFT} 14V114H${W - RIGHT}` }),
    s('path', { class: 'mid', d: `M${LEFT} 64H${W - RIGHT}` }),
    s('path', { class: 'area', d: area(points.map((p) => p?.win ?? null), x, winY, 64) }),
    s('path', { class: 'curve', d: path(points.map((p) => p?.win ?? null), x, winY) }),
    s('text', { x: LEFT + 4, y: 138 }, 'Score'),
    side(146, `B+${reach}`), side(213, `W+${reach}`),
    s('path', { class: 'axis', d: `M${LEFT} 140V210` }),
    s('path', { class: 'mid', d: `M${LEFT} 175H${W - RIGHT}` }),
    s('path', { class: 'area', d: area(points.map((p) => p?.score ?? null), x, scoreY, 175) }),
    s('path', { class: 'curve', d: path(points.map((p) => p?.score ?? null), x, scoreY) }),
    s('path', { class: 'now', d: `M${x(now)} 14V210` }),
    worst.map(({ ply }, idx) => {
      const at = points[ply];
      const y = at ? winY(at.win) : 64;
      const up = y > 64 ? -1 : 1;
      return [s('path', { class: 'worst', d: `M${x(ply)} ${y + 3 * up}l-5 ${9 * up}h10z` }),
        s('text', { class: 'worst-text', x: x(ply), y: y + 3 * up + (up > 0 ? 20 : -13) }, idx + 1)];
    }).flat());
}

/**
 * The ply under a click on the charts of so many points.
 * @param {MouseEvent} event
 * @param {number} nPoints
 */
export function plyAt(event, nPoints) {
  const chart = event.target instanceof Element ? event.target.closest('svg.chart') : null;
  const matrix = chart instanceof SVGSVGElement ? chart.getScreenCTM() : null;
  if (!matrix) return null;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()).x;
  return Math.round(Math.min(1, Math.max(0, (at - LEFT) / (W - LEFT - RIGHT))) * (nPoints - 1));
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
  const marked = worst.map(({ ply, loss }) => `move ${ply} lost ${Math.round(100 * loss)} %`).join(', ');
  return `Win rate and score after each move; ${known} of ${points.length} known. ${marked && `Worst: ${marked}.`}`;
}
