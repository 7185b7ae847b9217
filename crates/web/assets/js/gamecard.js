// A whole game: its graph, the review that is asked for, and the mistakes that it found.

import { h, numberAt, percent, renew } from './dom.js';
import { gameGraph, plyAt } from './graph.js';
import { t } from './lang.js';
import { ask, on } from './link.js';
import { PASS, name, other, title } from './rules.js';
import { newNumber } from './shared.js';
import { levelled, worstOf } from './values.js';

/** @import { GameNode, GameTree } from './gametree.js' */
/** @import { Measure } from './values.js' */

/**
 * @typedef {object} Around
 * @property {() => GameTree} tree
 * @property {() => string | null} net
 * @property {() => Measure} measure
 * @property {(node: GameNode) => void} goTo
 * @property {() => void} begun A review takes the place of what was searched.
 * @property {() => void} ended
 */

/** @param {Around} around */
export function gameCard({ tree, net, measure, goTo, begun, ended }) {
  let number = 0;
  /** The moves that are reviewed. @type {GameNode[]} */
  let reviewed = [];
  /** How many positions were looked at; 0: no review. */
  let looked = 0;
  let share = 0;
  const graph = h('div', { class: 'graph-box', onclick: (/** @type {MouseEvent} */ event) => {
    const line = tree().line();
    const ply = plyAt(event, levelled(line));
    if (ply !== null) goTo(line[ply]);
  } });
  const mistakes = h('ul', { class: 'worst-list', onclick: (/** @type {Event} */ event) => {
    const ply = numberAt(event, 'ply');
    if (ply !== null) goTo(tree().line()[ply]);
  } });
  const button = h('button', { type: 'button', id: 'survey', onclick: toggle }, t('analyse.survey'));
  const budget = h('select', { id: 'survey-playouts', 'aria-label': t('analyse.survey-playouts') },
    [20, 60, 300].map((n) => h('option', { value: `${n}s`, selected: n === 60 }, n < 60 ? t('analyse.seconds', { n }) : t('analyse.minutes', { n: n / 60 }))),
    [20, 100, 400, 1000, 4000].map((n) => h('option', { value: n }, t('level.playouts', { n }))));
  const element = h('div', { class: 'card' }, h('h3', {}, t('analyse.game')), h('div', { class: 'row' }, button, budget), mistakes);
  new ResizeObserver(() => draw()).observe(graph);

  on('survey', (point) => {
    if (point.number !== number) return;
    const node = reviewed.find((node) => node.depth === point.ply);
    if (node) node.value = { win: point.win, score: point.score, best: point.best };
    looked = point.ply + 1;
    draw();
  });
  on('review', (review) => {
    if (review.number !== number) return;
    share = review.share;
    for (const node of reviewed) {
      node.review = review.moves.find((move) => move.ply === node.depth) ?? null;
      if (review.done && node.value) node.value = { ...node.value, win: review.win[node.depth], score: review.score[node.depth] };
    }
    if (review.done) {
      looked = 0;
      ended();
    }
    draw();
  });

  function toggle() {
    if (looked) {
      forget();
      ask('stop');
      ended();
      return draw();
    }
    reviewed = tree().line();
    number = newNumber();
    looked = 1;
    share = 0;
    begun();
    const { value } = budget;
    const wanted = value.endsWith('s') ? { time: Number.parseInt(value, 10) } : { playouts: Number(value) };
    ask('survey', { number, spot: tree().spot(reviewed.at(-1)), ...wanted, net: net() });
    draw();
  }

  function forget() {
    looked = 0;
    number = 0;
  }

  function draw() {
    const now = tree();
    const line = now.line();
    const { width, height } = now.base;
    const worst = worstOf(line);
    const look = { measure: measure(), width: Math.max(240, graph.clientWidth), height: Math.max(90, graph.clientHeight) };
    renew(graph, line.length < 2 ? h('p', { class: 'small quiet' }, t('analyse.no-graph'))
      : gameGraph(levelled(line), line.indexOf(now.current), worst.filter(({ isUnsure }) => !isUnsure), look));
    button.disabled = line.length < 2;
    renew(mistakes, worst.map(({ ply, isUnsure, review }, idx) => {
      const node = line[ply];
      const [loss, low, high] = review.loss.map((share) => Math.round(100 * share));
      const told = { move: node.depth, color: title(other(node.toPlay)), point: name(width, height, node.last ?? PASS), loss, low, high, points: review.points[0].toFixed(1) };
      return h('li', {}, h('button', { type: 'button', 'data-ply': ply - 1 },
        isUnsure ? h('b', { class: 'quiet' }, `? ${t('analyse.unsure')}`) : h('b', { class: 'bad' }, `${idx + 1} ▲`), ' ',
        t('analyse.mistake', told), review.line.length ? ` ${t('analyse.better', { best: name(width, height, review.line[0]) })}` : ''));
    }));
    const progress = share ? percent(share, 0) : `${looked}/${reviewed.length}`;
    button.textContent = looked ? t('analyse.survey-stop', { progress }) : t('analyse.survey');
  }

  return { element, graph, draw, forget, isBusy: () => looked > 0 };
}
