// The end of a game: where it turned, and what to play next.

import { fill, h, percent } from './dom.js';
import { t } from './lang.js';
import { levelName, levelsOf } from './levels.js';
import { ask, on } from './link.js';
import { miniBoard } from './mini.js';
import { after, name, other } from './rules.js';
import { newNumber } from './shared.js';

/** @import { Game, ReviewedMove, Side, Spot, SurveyPoint } from './types.js' */

/** Turning points that are shown. */
const N_TURNS = 3;
/** A loss of win rate below this is no turning point. */
const LEAST = 0.08;
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
  let playouts = 0;
  /** How many positions were looked at; none: nobody looks. @type {number | null} */
  let looked = null;
  /** @type {(SurveyPoint | undefined)[]} */
  let points = [];
  /** @type {Turn[] | null} */
  let turns = null;
  const next = h('div', { class: 'next-games' });
  const found = h('div', { class: 'turns' });
  const element = h('section', { class: 'card end', 'aria-label': t('end.next'), hidden: true }, h('h3', {}, t('end.next')), next, h('h3', {}, t('end.turns')), found);

  on('survey', (point) => {
    if (point.number !== number) return;
    points[point.ply] = point;
    looked = point.ply;
    if (point.done && game) settle(turnsOf(points, game, playouts));
    else drawFound();
  });
  on('review', (review) => {
    if (review.number === number && review.done) settle(turnsReviewed(review.moves));
  });
  on('welcome', () => {
    // A server that was away has forgotten what it looked at.
    looked = null;
    drawFound();
  });

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
    points = [];
    turns = null;
    looked = 0;
    playouts = Math.round(Math.min(MOST, Math.max(FEWEST, ALL / (game.moves.length + 1))));
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

/**
 * Moves that cost their player much. Values of short searches scatter, so a loss counts only if it is beyond that and
 * lasts: the two positions before it and the two after must differ as well.
 * @param {(SurveyPoint | undefined)[]} points
 * @param {Game} game
 * @param {number} playouts
 * @returns {Turn[]}
 */
export function turnsOf(points, game, playouts) {
  const sides = points.map((_, ply) => /** @type {Side} */ (game.moves[ply]?.[0] ?? game.to_play));
  const sign = (/** @type {number} */ ply) => (sides[ply] === 'black' ? 1 : -1);
  // Playouts favour whoever is to move, always by about as much; half of the usual step is taken off.
  const steps = points.slice(0, -1).flatMap((point, ply) => {
    const after = points[ply + 1];
    return point && after && sides[ply] !== sides[ply + 1] ? [sign(ply) * (point.win - after.win)] : [];
  }).sort((a, b) => a - b);
  const bias = steps.length < 4 ? 0 : Math.max(0, steps[Math.floor(steps.length / 2)]) / 2;
  const wins = points.map((point, ply) => (point ? point.win - sign(ply) * bias : null));
  const noise = Math.sqrt((2 * 0.25) / playouts);
  const least = Math.max(LEAST, 2 * noise);
  return game.moves.flatMap(([side, point], ply) => {
    const [before, after] = [wins[ply], wins[ply + 1]];
    if (before === null || after === null || before === undefined || after === undefined || point < 0) return [];
    const gain = side === 'black' ? -1 : 1;
    const loss = gain * (after - before);
    const mean = (/** @type {number} */ a, /** @type {number} */ b) => ((wins[a] ?? wins[b] ?? 0) + (wins[b] ?? wins[a] ?? 0)) / 2;
    const lasting = gain * (mean(ply + 1, ply + 2) - mean(ply, ply - 1));
    const better = points[ply]?.best ?? null;
    return loss >= least && lasting >= least / 2 && better !== point ? [{ ply: ply + 1, loss: Math.min(loss, 1), better }] : [];
  });
}
