// Teaching: what a move cost, shown at once, with what was better; and hints in steps.

import { count, fill, h, percent } from './dom.js';
import { t } from './lang.js';
import { ask } from './link.js';
import { after, name, other } from './rules.js';

/** @import { Game, Lesson, Side } from './types.js' */
/** @import { Picture } from './board.js' */

/**
 * The part of Play that speaks of a costly move.
 * @param {() => void} changed Another line is to be shown on the board.
 */
export function lessonCard(changed) {
  /** Whether the better line is shown, or the answer to what was played. */
  let showsBetter = true;
  /** @type {Lesson | null} */
  let lesson = null;
  const element = h('section', { class: 'lesson', role: 'alert', 'aria-live': 'assertive', hidden: true });

  /** @param {boolean} better */
  function show(better) {
    showsBetter = better;
    changed();
  }

  /** @param {Game} game */
  function draw(game) {
    const isNew = game.lesson?.ply !== lesson?.ply || game.lesson?.played !== lesson?.played;
    lesson = game.lesson;
    element.hidden = !lesson;
    if (!lesson) return fill(element);
    if (isNew) showsBetter = true;
    const { width, height } = game;
    const at = (/** @type {number} */ point) => name(width, height, point);
    const line = (/** @type {number[]} */ points) => points.map(at).join(' ');
    const points = Math.round(lesson.points);
    fill(element,
      h('h3', {}, t('teach.title', { loss: percent(lesson.best - lesson.played, 0) }), points >= 1 ? h('span', { class: 'small quiet block' }, t('teach.points', { n: points })) : null),
      h('p', { class: 'small' }, t('teach.win', {
        move: at(lesson.played_line[0]), better: at(lesson.best_line[0]), played: percent(lesson.played, 0), best: percent(lesson.best, 0), low: percent(lesson.low, 0), high: percent(lesson.high, 0),
      })),
      h('p', { class: 'small num' }, showsBetter ? t('teach.better', { line: line(lesson.best_line) }) : t('teach.answer', { line: line(lesson.played_line.slice(1)) })),
      h('div', { class: 'row' },
        h('button', { type: 'button', class: 'primary', id: 'take-back', onclick: () => ask('undo') }, t('teach.take-back')),
        h('button', { type: 'button', id: 'play-on', onclick: () => ask('play-on') }, t('teach.play-on')),
        h('button', { type: 'button', class: 'link', id: 'other-line', onclick: () => show(!showsBetter) }, t(showsBetter ? 'teach.show-answer' : 'teach.show-better'))));
  }

  /**
   * The board with the line that is shown.
   * @param {Game} game
   * @returns {Pick<Picture, 'stones' | 'ghosts' | 'marks'> | null}
   */
  function picture(game) {
    if (!lesson) return null;
    const [played] = lesson.played_line;
    if (!showsBetter) return { stones: game.stones, ghosts: ghosts(lesson.played_line.slice(1), other(game.color), game.stones), marks: [{ point: played, kind: 'cross', tone: 'bad' }] };
    let stones = game.start;
    for (const move of game.moves.slice(0, lesson.ply)) stones = after(stones, game.width, game.height, move).stones;
    return { stones, ghosts: ghosts(lesson.best_line, game.color, stones), marks: [{ point: played, kind: 'cross', tone: 'bad' }] };
  }

  return { element, draw, picture };
}

/**
 * Numbered stones of a line, those on stones left out.
 * @param {number[]} line
 * @param {Side} first
 * @param {string} stones
 * @returns {import('./board.js').Ghost[]}
 */
export function ghosts(line, first, stones) {
  return line.flatMap((point, idx) => (stones[point] === '.' && line.indexOf(point) === idx
    ? [{ point, color: idx % 2 ? other(first) : first, text: count(idx + 1) }] : []));
}

/**
 * Where to look for a move: an area that holds it, not around it, or its middle would tell.
 * @param {number} point
 * @param {number} width
 * @param {number} height
 */
export function areaOf(point, width, height) {
  const radius = Math.max(2.2, Math.min(width, height) / 5);
  // The same move has the same area, however often it is asked for.
  const aside = Math.round(radius / 2);
  const [dx, dy] = [[-1, -1], [1, -1], [-1, 1], [1, 1]][point % 4];
  const within = (/** @type {number} */ at, /** @type {number} */ side) => Math.min(side - 2, Math.max(1, at));
  const column = within((point % width) + dx * aside, width);
  const row = within(Math.floor(point / width) + dy * aside, height);
  return { point: row * width + column, radius };
}
