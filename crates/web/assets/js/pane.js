// One search seen from inside: heat map, table of root moves, curves, and its tree.

import { Board } from './board.js';
import { count, everyFrame, fill, h, margin, numberAt, percent, renew } from './dom.js';
import { LOOKS, curves, sample } from './curves.js';
import { t } from './lang.js';
import { ask } from './link.js';
import { name, title } from './rules.js';
import { searchTree } from './searchtree.js';
import { short } from './values.js';

/** @import { Arm, Branch, Report, Side } from './types.js' */

/** @typedef {{n: number, visits: number, value: number, models: [number, number][]}} Past How a move stood after n simulations. */
/** @typedef {{stones: string, width: number, height: number, last: number | null, toPlay: Side}} Scene */

/** Moves that are drawn as curves if nobody chooses. */
const N_AUTO = 4;
/** Points of a curve that are kept. */
const MAX_PAST = 600;

/**
 * @param {number} idx Which of the searches of the study.
 * @param {(points: number[]) => void} watch
 */
export function pane(idx, watch) {
  /** @type {Report | null} */
  let report = null;
  /** @type {Scene | null} */
  let scene = null;
  /** @type {Map<number, Past[]>} */
  let past = new Map();
  /** Moves whose curves are drawn; empty: the most visited. @type {number[]} */
  let chosen = [];
  let layer = 'visits';
  let showsModels = true;
  let recipeName = '';
  /** What is open of the tree, by line. @type {Map<string, Branch>} */
  let opened = new Map();

  const board = new Board({ play: toggle });
  const heading = h('h3', {});
  const facts = h('p', { class: 'small quiet num' });
  const layers = h('select', { class: 'layers', 'aria-label': t('inside.shown'), onchange: () => { layer = layers.value; drawBoard(); } });
  const head = h('thead', {});
  const body = h('tbody', {
    onclick: choose, onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter') choose(event); },
  });
  const charts = h('div', { class: 'curves' });
  const key = h('div', { class: 'key' });
  const tree = searchTree(openLine);
  /** When the tree was drawn last. */
  let treeDrawn = 0;
  const models = h('input', { type: 'checkbox', checked: true, onchange: () => { showsModels = models.checked; drawCurves(); } });
  const element = h('section', { class: 'card pane', 'aria-label': t('inside.search', { number: idx + 1 }) }, heading, facts,
    h('div', { class: 'split' },
      h('div', { class: 'panel' }, h('div', { class: 'row small' }, h('span', {}, t('inside.show')), layers), board.element),
      h('div', { class: 'wide-table', tabindex: 0, role: 'region', 'aria-label': t('inside.moves') }, h('table', {}, head, body))),
    h('div', {}, h('div', { class: 'row spread' }, key, h('label', { class: 'check small' }, models, t('inside.each-model'))), charts),
    h('h3', {}, t('inside.tree')), h('p', { class: 'small quiet' }, t('inside.tree-about')), tree.element);

  /**
   * @param {Scene} next
   * @param {string} recipe
   */
  function reset(next, recipe) {
    scene = next;
    recipeName = recipe;
    report = null;
    past = new Map();
    chosen = [];
    opened = new Map();
    draw();
    drawTree();
  }

  /** @param {Report} next */
  function take(next) {
    report = next;
    for (const [n, arms] of next.trail) {
      for (const [point, visits, value, models] of arms) {
        const list = past.get(point) ?? [];
        past.set(point, list);
        list.push({ n, visits, value, models });
        // Every second point goes when there are too many: the shape stays.
        if (list.length > MAX_PAST) past.set(point, list.filter((_, at) => at % 2 === 0 || at === list.length - 1));
      }
    }
    drawSoon();
  }

  /** @param {Event} event */
  function choose(event) {
    const point = numberAt(event, 'point');
    if (point !== null) toggle(point);
  }

  /** @param {number} point */
  function toggle(point) {
    if (!report?.arms.some((arm) => arm[0] === point)) return;
    chosen = chosen.includes(point) ? chosen.filter((at) => at !== point) : [...chosen, point].slice(-LOOKS);
    watch(chosen);
    draw();
  }

  function shownMoves() {
    if (chosen.length) return chosen;
    return (report?.arms ?? []).slice(0, N_AUTO).map((arm) => arm[0]);
  }

  const drawSoon = everyFrame(draw);

  function draw() {
    drawFacts();
    drawBoard();
    drawTable();
    drawCurves();
    if (report && (report.done || performance.now() - treeDrawn > 700)) drawTree();
  }

  function drawFacts() {
    fill(heading, recipeName, report ? h('span', { class: 'quiet small' }, ` · ${report.models.join(' + ')}`) : '');
    facts.textContent = report
      ? [t('inside.simulations', { n: report.simulations }), t('inside.a-second', { n: Math.round(report.simulations / Math.max(0.001, report.seconds)) }),
        `${t('inside.nodes', { n: report.nodes })}, ${(report.bytes / 1e6).toFixed(1)} MB${report.is_full ? ` (${t('inside.full')})` : ''}`,
        t('inside.wins', { color: title(report.to_play), win: percent(report.win) }), margin(report.score), ...(report.done ? [t('inside.done')] : [])].join(' · ')
      : t('inside.not-started');
    const options = [['visits', t('inside.visits')], ['value', t('inside.value')], ['p', t('inside.prior')], ['ownership', t('inside.ownership')], ['urgency', t('inside.urgency')],
      ...(report?.models ?? []).flatMap((model, at) => [[`mean ${at}`, t('inside.model-value', { model })], [`beta ${at}`, t('inside.model-weight', { model })], [`n ${at}`, t('inside.model-count', { model })]])];
    if (options.length !== layers.options.length) fill(layers, options.map(([value, label]) => h('option', { value, selected: value === layer }, label)));
  }

  /** What a layer says of an arm. @param {Arm} arm @returns {number | null} */
  function layerOf(arm) {
    const [kind, at] = layer.split(' ');
    const model = arm[6][Number(at)];
    switch (kind) {
      case 'visits': return arm[1];
      case 'value': return arm[2];
      case 'p': return arm[4];
      case 'urgency': return arm[5];
      case 'mean': return model?.[0] ?? null;
      case 'n': return model?.[1] ?? null;
      case 'beta': return model?.[2] ?? null;
      default: return null;
    }
  }

  function drawBoard() {
    if (!scene) return;
    const { width, height, stones, last } = scene;
    const values = (report?.arms ?? []).flatMap((arm) => {
      const value = layerOf(arm);
      return value === null ? [] : [{ point: arm[0], value }];
    });
    const isShare = layer.startsWith('beta') || layer === 'p';
    const all = values.map(({ value }) => value);
    const low = layer === 'visits' || layer.startsWith('n ') || isShare ? 0 : Math.min(...all);
    const high = layer.startsWith('beta') ? 1 : Math.max(...all);
    const watched = shownMoves();
    board.show({
      width, height, stones, last,
      ownership: layer === 'ownership' ? report?.ownership : [],
      heat: values.filter(({ point, value }) => point >= 0 && stones[point] === '.' && (low !== 0 || value > (layer === 'p' ? 0.001 : 0)))
        .map(({ point, value }) => ({
          point, value: high > low ? (value - low) / (high - low) : 0.5,
          text: width <= 9 || value >= low + 0.6 * (high - low) ? figure(value) : undefined,
        })),
      marks: chosen.length ? watched.map((point) => ({ point, kind: /** @type {const} */ ('square') })) : [],
      label: t('inside.heat', { layer, width, height }),
    });
  }

  /** @param {number} value */
  function figure(value) {
    if (layer === 'visits' || layer.startsWith('n ')) return short(Math.round(value));
    return layer === 'urgency' ? value.toFixed(1) : String(Math.round(100 * value));
  }

  function drawTable() {
    const names = report?.models ?? [];
    fill(head, h('tr', {}, h('th', {}, t('analyse.move')), h('th', { class: 'n' }, t('analyse.visits')), h('th', { class: 'n', title: t('inside.value-about') }, t('inside.value-short')),
      names.map((model) => h('th', { class: 'n', title: t('inside.model-about', { model }) }, model, h('span', { class: 'beta' }, 'β'))),
      report?.arms.some((arm) => arm[4] !== null) ? h('th', { class: 'n' }, 'P(a)') : null));
    if (!report || !scene) return renew(body);
    const { width, height } = scene;
    const hasP = report.arms.some((arm) => arm[4] !== null);
    const most = Math.max(1, ...report.arms.map((arm) => arm[1]));
    const watched = shownMoves();
    renew(body, report.arms.slice(0, 60).map((arm) => {
      const visits = h('td', { class: 'n' }, count(arm[1]));
      const share = (100 * arm[1]) / most;
      visits.style.background = `linear-gradient(to left, color-mix(in srgb, var(--accent) 26%, transparent) ${share}%, transparent ${share}%)`;
      return h('tr', {
        class: watched.includes(arm[0]) ? 'watched' : '', tabindex: 0, 'aria-selected': watched.includes(arm[0]), 'data-point': arm[0],
      },
        h('td', {}, h('b', {}, name(width, height, arm[0])), arm[0] === report?.choice ? ' ★' : ''),
        visits, h('td', { class: 'n' }, h('b', {}, digits(arm[2]))),
        arm[6].map(([mean, n, beta]) => h('td', { class: 'n', title: t('inside.observations', { n: n ?? 0 }) }, digits(mean), h('span', { class: 'beta' }, brief(beta ?? 0, 2)))),
        hasP ? h('td', { class: 'n' }, digits(arm[4])) : null);
    }));
  }

  /** @param {number | null | undefined} x */
  function digits(x) {
    return x === null || x === undefined ? '–' : brief(x, 3);
  }

  function drawCurves() {
    if (!scene) return;
    const { width, height } = scene;
    const moves = shownMoves();
    const label = (/** @type {number} */ point) => name(width, height, point);
    /** @param {(past: Past) => number} of */
    const lines = (of) => moves.map((point, look) => ({
      label: label(point), look, points: (past.get(point) ?? []).map((at) => /** @type {[number, number]} */ ([at.n, of(at)])),
    }));
    const isWin = report?.reward !== 'score';
    const names = report?.models ?? [];
    const values = lines((at) => at.value);
    // What the models say apart, for the first move alone, as thin lines: more would be a thicket.
    if (showsModels && names.length > 1) {
      const only = moves.slice(0, chosen.length || 1);
      for (const [look, point] of only.entries()) {
        names.forEach((_, model) => values.push(/** @type {any} */ ({
          label: '', look, thin: true, points: (past.get(point) ?? []).map((at) => [at.n, at.models[model]?.[0] ?? 0]),
        })));
      }
    }
    fill(charts,
      curves(t('inside.value-short'), values, isWin ? { isShare: true } : { format: (y) => y.toFixed(1) }),
      curves(t('analyse.visits'), lines((at) => at.visits), { low: 0, format: (y) => short(Math.round(y)) }),
      names.slice(1).map((model, at) => curves(t('inside.weight-of', { model }), lines((past) => past.models[at + 1]?.[1] ?? 0), { low: 0, high: 1 })));
    fill(key, moves.map((point, look) => h('span', {}, sample(look), label(point))));
  }

  /** @param {Branch} branch */
  function takeBranch(branch) {
    opened.set(branch.line.join(','), branch);
    drawTree();
  }

  function drawTree() {
    treeDrawn = performance.now();
    const arms = report?.arms.filter((arm) => arm[1] > 0).slice(0, 24) ?? [];
    if (!report || !scene || !arms.length) return tree.say(t('inside.run-first'));
    tree.draw(arms, report.to_play, opened, scene);
  }

  /** @param {number[]} line */
  function openLine(line) {
    const at = line.join(',');
    if (opened.has(at)) {
      opened.delete(at);
      drawTree();
    } else if (report) ask('open', { number: report.number, search: idx, line });
  }

  return { element, reset, take, takeBranch, watched: () => chosen };
}

/**
 * A share without the zero before the point: .504.
 * @param {number} x
 * @param {number} digits
 */
function brief(x, digits) {
  return x.toFixed(digits).replace(/^(-?)0\./, '$1.');
}

/** @typedef {ReturnType<typeof pane>} Pane */
