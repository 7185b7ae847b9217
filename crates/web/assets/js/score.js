// The score, explained, and the result in words.

import { h } from './dom.js';
import { t } from './lang.js';
import { ruleName, title } from './rules.js';

/** @import { Game, Score, Tally } from './types.js' */

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

/**
 * How the game ended, for whoever played it.
 * @param {Game} game
 */
export function resultText(game) {
  const result = game.result ?? '';
  const [winner, how] = [result[0] === 'B' ? 'black' : result[0] === 'W' ? 'white' : null, result.slice(2)];
  if (!winner) return t('play.draw');
  if (game.players) return result;
  const isYou = winner === game.color;
  if (how === 'R') return t(isYou ? 'play.you-resign-win' : 'play.tengen-resign-win', { result });
  if (how === 'T') return t(isYou ? 'play.you-time-win' : 'play.tengen-time-win', { result });
  const n = Number(how);
  if (how === '' || Number.isNaN(n)) return t(isYou ? 'play.won' : 'play.lost', { result });
  return t(isYou ? 'play.you-win' : 'play.tengen-wins', { n, result });
}
