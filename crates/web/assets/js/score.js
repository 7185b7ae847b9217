// The score, explained.

import { h } from './dom.js';
import { t } from './lang.js';
import { ruleName, title } from './rules.js';

/** @import { Score, Tally } from './types.js' */

/**
 * A table with what each side has, and why.
 * @param {Score} score
 * @param {string} rules
 */
export function scoreTable(score, rules) {
  /** @type {[import('./lang.js').Key, (tally: Tally) => number, number][]} */
  const lines = score.area
    ? [['score.stones', (of) => of.stones, 1], ['score.territory', (of) => of.territory, 1]]
    : [['score.territory', (of) => of.territory, 1], ['score.prisoners', (of) => of.prisoners, 1], ['score.dead', (of) => of.dead, 1]];
  lines.push(['score.tax', (of) => of.tax, -1], ['score.komi', (of) => of.komi, 1],
    ['score.handicap', (of) => of.handicap, 1], ['score.button', (of) => of.button, 1]);
  const used = lines.filter(([key, of]) => of(score.black) || of(score.white) || key === 'score.stones' || key === 'score.territory');
  const show = (/** @type {number} */ value, /** @type {number} */ sign) => (value ? `${sign < 0 ? '−' : ''}${value}` : '–');
  const by = t(score.area ? 'score.area' : 'score.by-territory');
  return h('table', { class: 'score' },
    h('caption', { class: 'small quiet' }, `${by} ${t('rules.with-name', { name: ruleName(rules) })}`),
    h('thead', {}, h('tr', {}, h('th', {}, ''), h('th', { class: 'n' }, h('span', { class: 'chip black tiny' }), ` ${title('black')}`),
      h('th', { class: 'n' }, h('span', { class: 'chip white tiny' }), ` ${title('white')}`))),
    h('tbody', {}, used.map(([key, of, sign]) => h('tr', {}, h('th', { scope: 'row' }, t(key)),
      h('td', { class: 'n' }, show(of(score.black), sign)), h('td', { class: 'n' }, show(of(score.white), sign))))),
    h('tfoot', {}, h('tr', {}, h('th', { scope: 'row' }, t('score.total', { result: score.result })),
      h('td', { class: 'n' }, score.black.points), h('td', { class: 'n' }, score.white.points))));
}
