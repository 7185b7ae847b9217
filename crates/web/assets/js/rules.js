// Points and captures: what the page must know of Go to show a game. Whether a move is legal is the server's word.

import { isKey, t } from './lang.js';

/** @import { Side, SpotStep } from './types.js' */

export const PASS = -1;
const LETTERS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';

/**
 * The name of a point: E5, pass.
 * @param {number} width
 * @param {number} height
 * @param {number} point
 */
export function name(width, height, point) {
  if (point < 0) return t('common.pass');
  return `${LETTERS[point % width]}${height - Math.floor(point / width)}`;
}

/**
 * The letter of a column, from 0.
 * @param {number} column
 */
export function letter(column) {
  return LETTERS[column] ?? '?';
}

/** @param {Side} side @returns {Side} */
export function other(side) {
  return side === 'black' ? 'white' : 'black';
}

/** @param {Side} side */
export function title(side) {
  return t(side === 'black' ? 'common.black' : 'common.white');
}

/**
 * Rules as people call them.
 * @param {string} rules
 */
export function ruleName(rules) {
  const key = `rules.${rules}`;
  return isKey(key) ? t(key) : rules;
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} point
 */
export function neighbours(width, height, point) {
  const column = point % width;
  const around = [];
  if (column > 0) around.push(point - 1);
  if (column < width - 1) around.push(point + 1);
  if (point >= width) around.push(point - width);
  if (point < width * (height - 1)) around.push(point + width);
  return around;
}

/**
 * The chain of a stone, and whether it has a liberty.
 * @param {string[]} stones
 * @param {number} width
 * @param {number} height
 * @param {number} point
 */
function chain(stones, width, height, point) {
  const color = stones[point];
  const seen = new Set([point]);
  const waiting = [point];
  let isFree = false;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const near of neighbours(width, height, at)) {
      if (stones[near] === '.') isFree = true;
      else if (stones[near] === color && !seen.has(near)) {
        seen.add(near);
        waiting.push(near);
      }
    }
  }
  return { points: seen, isFree };
}

/**
 * The stones after a step, and how many were captured of Black and White. A move on a stone replaces it, as records may.
 * @param {string} stones
 * @param {number} width
 * @param {number} height
 * @param {SpotStep} step
 * @returns {{stones: string, captured: [number, number]}}
 */
export function after(stones, width, height, step) {
  const next = [...stones];
  /** @type {[number, number]} */
  const captured = [0, 0];
  if (Array.isArray(step)) {
    const [side, point] = step;
    if (point < 0) return { stones, captured };
    const own = side === 'black' ? 'X' : 'O';
    next[point] = own;
    for (const near of neighbours(width, height, point)) {
      if (next[near] === '.' || next[near] === own) continue;
      const group = chain(next, width, height, near);
      if (!group.isFree) take(next, group.points, captured);
    }
    const self = chain(next, width, height, point);
    if (!self.isFree) take(next, self.points, captured);
  } else {
    for (const point of step.empty ?? []) next[point] = '.';
    for (const point of step.black ?? []) next[point] = 'X';
    for (const point of step.white ?? []) next[point] = 'O';
  }
  return { stones: next.join(''), captured };
}

/**
 * @param {string[]} stones
 * @param {Set<number>} points
 * @param {[number, number]} captured
 */
function take(stones, points, captured) {
  for (const point of points) {
    captured[stones[point] === 'X' ? 0 : 1] += 1;
    stones[point] = '.';
  }
}

/**
 * Points of the star points.
 * @param {number} width
 * @param {number} height
 * @returns {number[]}
 */
export function hoshi(width, height) {
  const lines = (/** @type {number} */ side) => {
    if (side < 7) return side % 2 ? [(side - 1) / 2] : [];
    const edge = side < 12 ? 2 : 3;
    const ends = [edge, side - 1 - edge];
    return side % 2 && side >= 9 ? [edge, (side - 1) / 2, side - 1 - edge] : ends;
  };
  const [columns, rows] = [lines(width), lines(height)];
  const points = rows.flatMap((row) => columns.map((column) => row * width + column));
  // On 9×9 to 11×11 only the corners and the centre are marked.
  if (width < 12 && height < 12 && columns.length === 3 && rows.length === 3) {
    return points.filter((_, idx) => idx % 2 === 0);
  }
  return points;
}
