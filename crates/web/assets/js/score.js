// The score, explained.

import { h } from './dom.js';
import { ruleName } from './rules.js';

/** @import { Score, Tally } from './types.js' */

/**
 * A table with what each side has, and why.
 * @param {Score} score
 * @param {string} rules
 */
export function scoreTable(score, rules) {
  /** @type {[string, (tally: Tally) => number, number][]} */
  const lines = score.area
    ? [['Living stones', (t) => t.stones, 1], ['Surrounded points', (t) => t.territory, 1]]
    : [['Surrounded points', (t) => t.territory, 1], ['Captured stones', (t) => t.prisoners, 1], ['Dead stones', (t) => t.dead, 1]];
  lines.push(['Points that do not count', (t) => t.tax, -1], ['Komi', (t) => t.komi, 1],
    ['For handicap stones', (t) => t.handicap, 1], ['For the first pass', (t) => t.button, 1]);
  const used = lines.filter(([label, of]) => of(score.black) || of(score.white) || ['Living stones', 'Surrounded points'].includes(label));
  const show = (/** @type {number} */ value, /** @type {number} */ sign) => (value ? `${sign < 0 ? '−' : ''}${value}` : '–');
  const by = score.area
    ? 'Area: stones on the board and the empty points they surround.'
    : 'Territory: surrounded empty points and captured stones.';
  return h('table', { class: 'score' },
    h('caption', { class: 'small quiet' }, `${by} ${ruleName(rules)} rules.`),
    h('thead', {}, h('tr', {}, h('th', {}, ''), h('th', { class: 'n' }, h('span', { class: 'chip black tiny' }), ' Black'),
      h('th', { class: 'n' }, h('span', { class: 'chip white tiny' }), ' White'))),
    h('tbody', {}, used.map(([label, of, sign]) => h('tr', {}, h('th', { scope: 'row' }, label),
      h('td', { class: 'n' }, show(of(score.black), sign)), h('td', { class: 'n' }, show(of(score.white), sign))))),
    h('tfoot', {}, h('tr', {}, h('th', { scope: 'row' }, `Total: ${score.result}`),
      h('td', { class: 'n' }, score.black.points), h('td', { class: 'n' }, score.white.points))));
}
