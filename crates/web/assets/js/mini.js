// Small pictures of boards, for lists.

import { s } from './dom.js';
import { hoshi } from './rules.js';

/** @typedef {{point: number, kind: 'played' | 'better'}} Spotlight */

/**
 * A board as small as wanted.
 * @param {number} width
 * @param {number} height
 * @param {string} stones
 * @param {string} label For screen readers.
 * @param {Spotlight[]} [lights]
 */
export function miniBoard(width, height, stones, label, lights = []) {
  const x = (/** @type {number} */ point) => 10 + (point % width) * 10;
  const y = (/** @type {number} */ point) => 10 + Math.floor(point / width) * 10;
  let lines = '';
  for (let column = 0; column < width; column++) lines += `M${10 + 10 * column} 10V${10 * height}`;
  for (let row = 0; row < height; row++) lines += `M10 ${10 + 10 * row}H${10 * width}`;
  /** @type {SVGElement[]} */
  const items = hoshi(width, height).map((point) => s('circle', { class: 'hoshi', cx: x(point), cy: y(point), r: 1.3 }));
  [...stones].forEach((stone, point) => {
    if (stone !== '.') items.push(s('circle', { class: stone === 'X' ? 'black' : 'white', cx: x(point), cy: y(point), r: 4.7 }));
  });
  for (const { point, kind } of lights) {
    if (point < 0) continue;
    const [cx, cy] = [x(point), y(point)];
    // Told by shape as well as by colour: a cross for what was played, a ring for what was better.
    items.push(kind === 'played' ? s('path', { class: 'played', d: `M${cx - 3.4} ${cy - 3.4}l6.8 6.8M${cx + 3.4} ${cy - 3.4}l-6.8 6.8` })
      : s('circle', { class: 'better', cx, cy, r: 4.2 }));
  }
  const [w, hgt] = [10 * width + 10, 10 * height + 10];
  return s('svg', { class: 'mini', viewBox: `0 0 ${w} ${hgt}`, role: 'img', 'aria-label': label },
    s('rect', { class: 'ground', width: w, height: hgt, rx: 2 }), s('path', { class: 'grid', d: lines }), items);
}
