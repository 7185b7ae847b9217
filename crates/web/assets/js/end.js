// The end of a game: where it turned, and what to play next.

import { fill, h, percent } from './dom.js';
import { t } from './lang.js';
import { levelName, levelsOf } from './levels.js';
import { ask, on } from './link.js';
import { miniBoard } from './mini.js';
import { after, name, other } from './rules.js';
import { newNumber } from './shared.js';

/** @import { Game, ReviewedMove, Spot } from './types.js' */

/** Turning points that are shown. */
const N_TURNS = 3;
/** Playouts for the whole game, about, and the least and most for a position. */
const [ALL, FEWEST, MOST] = [15_000, 60, 300];

/** @typedef {{ply: number, loss: number, better: number | null}} Turn A move by its number from 1. */

/**
 * @param {{spot: (game: Game) => Spot, start: (terms: import('./types.js').NewGame) => void, go: (ply: number) => void}} actions
 */
export function endCard({ spot, start, go }) {
  /** @type {Game | null} */
  let game = null;
  /** Which game the turning points are of. */
  let of = '';
  let number = 0;
  /** How many positions were looked at; none: nobody looks. @type {number | null} */
  let looked = null;
  /** @type {Turn[] | null} */
  let turns = null;
  const next = h('div', { class: 'next-games' });
  const found = h('div', { class: 'turns' });
  const element = h('section', { class: 'card end', 'aria-label': t('end.next'), hidden: true }, h('h3', {}, t('end.next')), next, h('h3', {}, t('end.turns')), found);

  on('survey', (point) => {
    if (point.number !== number) return;
    looked = point.ply;
    drawFound();
  });
  on('review', (review) => {
    if (review.number === number && review.done) settle(turnsReviewed(review.moves));
  });
  on('error', (fault) => {
    if (fault.ask === 'survey') rest();
  });
  // A server that was away has forgotten what it looked at.
  on('welcome', rest);

  /** Nobody looks any longer; should somebody still do, the next answer tells. */
  function rest() {
    looked = null;
    drawFound();
  }

  /** @param {Turn[]} all */
  function settle(all) {
    turns = all.sort((a, b) => b.loss - a.loss).slice(0, N_TURNS).sort((a, b) => a.ply - b.ply);
    looked = null;
    drawFound();
  }

  /** Looks at every position of the game. */
  function find() {
    if (!game) return;
    number = newNumber();
    turns = null;
    looked = 0;
    const playouts = Math.round(Math.min(MOST, Math.max(FEWEST, ALL / (game.moves.length + 1))));
    // With a network a visit is worth many playouts.
    const visits = game.net ? Math.round(playouts / 5) : playouts;
    ask('survey', { number, spot: spot(game), playouts: visits, net: game.net });
    drawFound();
  }

  /** @param {Partial<import('./types.js').NewGame>} change */
  function again(change) {
    if (!game) return;
    const { width, color, komi, rules, handicap, level, net, clock, teach } = game;
    start({ size: width, color, komi, rules, handicap, level, net, clock: clock?.terms ?? null, teach, ...change });
  }

  /**
   * @param {string} id
   * @param {string} label
   * @param {Partial<import('./types.js').NewGame>} change
   * @param {string} [title]
   */
  function button(id, label, change, title) {
    return h('button', { type: 'button', id, title, onclick: () => again(change) }, label);
  }

  function drawNext() {
    if (!game) return;
    const { level, net, color } = game;
    const n = levelsOf(net).length;
    fill(next, button('rematch', t('end.rematch'), {}), button('swap', t('end.swap'), { color: other(color) }),
      level < n ? button('level-up', t('end.up'), { level: level + 1 }, levelName(level + 1, net)) : null,
      level > 1 ? button('level-down', t('end.down'), { level: level - 1 }, levelName(level - 1, net)) : null);
  }

  function drawFound() {
    if (!game) return;
    const n = game.moves.length;
    if (looked !== null) fill(found, h('p', { class: 'quiet num busy' }, t('end.looking', { n: Math.min(looked, n), of: n })));
    else if (!turns) fill(found, h('button', { type: 'button', id: 'find-turns', disabled: n === 0, onclick: find }, t('end.find')));
    else if (!turns.length) fill(found, h('p', { class: 'quiet' }, t('end.none')));
    else fill(found, turns.map(turnCard));
  }

  /** @param {Turn} turn */
  function turnCard({ ply, loss, better }) {
    if (!game) return null;
    const { width, height, start: stones, moves, color, players } = game;
    const [side, point] = moves[ply - 1];
    const before = moves.slice(0, ply - 1).reduce((board, move) => after(board, width, height, move).stones, stones);
    const where = name(width, height, point);
    const who = players ? `${side === 'black' ? players[0] : players[1]} ${where}` : t(side === color ? 'end.yours' : 'end.tengens', { point: where });
    const facts = [t('end.cost', { loss: percent(loss, 0) }), better === null || better === point ? '' : t('end.better', { point: name(width, height, better) })];
    return h('button', { type: 'button', class: 'turn', onclick: () => go(ply) },
      miniBoard(width, height, after(before, width, height, [side, point]).stones, `${t('end.move', { n: ply })}: ${who}`,
        [{ point, kind: 'played' }, ...(better === null || better === point ? [] : [{ point: better, kind: /** @type {const} */ ('better') }])]),
      h('span', { class: 'facts' }, h('b', {}, t('end.move', { n: ply })), h('span', {}, who), facts.filter(Boolean).map((fact) => h('span', { class: 'small quiet' }, fact))));
  }

  return {
    element,
    rest,
    /**
     * @param {Game} current
     * @param {boolean} hasEnded Whether it has come to its end just now.
     */
    draw(current, hasEnded) {
      game = current;
      element.hidden = current.phase !== 'over';
      const key = `${current.id}: ${JSON.stringify(current.moves)}`;
      if (element.hidden) {
        of = '';
        return;
      }
      if (key !== of) {
        of = key;
        number = 0;
        turns = null;
        looked = null;
      }
      drawNext();
      if (hasEnded && current.moves.length > 0) find();
      else drawFound();
    },
  };
}

/**
 * The mistakes of a review that it is sure of.
 * @param {ReviewedMove[]} moves
 * @returns {Turn[]}
 */
function turnsReviewed(moves) {
  return moves.filter(({ verdict }) => verdict !== 'unsure').map(({ ply, loss, line }) => ({ ply, loss: loss[0], better: line[0] ?? null }));
}
