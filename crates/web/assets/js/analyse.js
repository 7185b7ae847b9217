// Analysing: a position or a game with variations, candidates on the board, and how the game went.

import { Board } from './board.js';
import { count, download, everyFrame, fill, filePicker, h, margin, numberAt, percent, recall, remember, renew, toast } from './dom.js';
import { GameTree } from './gametree.js';
import { gameGraph, plyAt } from './graph.js';
import { ask, on } from './link.js';
import { asksNet, netChooser } from './nets.js';
import { PASS, name, other, title } from './rules.js';
import { shared } from './shared.js';
import { treeView } from './treeview.js';
import { blackWin, levelled, policyHeat, short, worstOf } from './values.js';

/** @import { Tree, View, Welcome } from './types.js' */
/** @import { GameNode } from './gametree.js' */

/** Numbers of studies are never used twice, over all views. */
let nextNumber = Date.now();
export function newNumber() {
  return (nextNumber += 1);
}

/** @returns {View} */
export function analyse() {
  let tree = restore();
  let isLive = recall('live', true);
  let isRunning = false;
  let number = 0;
  let surveyNumber = 0;
  /** @type {GameNode[]} */
  let surveyLine = [];
  let surveyed = 0;
  let surveyShare = 0;
  /** @type {number | null} */
  let hovered = null;
  /** The row of the table that is pointed at. @type {Element | null} */
  let row = null;
  let isHere = false;
  /** @type {number | undefined} */
  let timer;

  const board = new Board({ play, hover: (point) => { hovered = point; drawBoard(); } });
  const meter = h('div', { class: 'meter', role: 'img' });
  const facts = h('p', { class: 'small quiet num' });
  const moves = h('tbody', {
    onclick: playRow, onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter') playRow(event); },
    onpointerover: point, onfocusin: point, onpointerleave: leave, onfocusout: leave,
  });
  const runButton = h('button', { type: 'button', class: 'primary', id: 'run', onclick: toggle });
  const limit = h('select', { 'aria-label': 'Playouts', onchange: () => restart() },
    [[0, 'until stopped'], [1000, '1 000'], [10_000, '10 000'], [100_000, '100 000']].map(([value, label]) => h('option', { value }, label)));
  const recipe = h('select', { 'aria-label': 'Recipe', onchange: recipeChosen }, h('option', { value: 'default' }, 'default'));
  const net = netChooser('analysis-net', 'net.analyse', 'no network', netChosen);
  const showCandidates = check('Candidates', 'candidates', true);
  const showOwners = check('Ownership', 'ownership', false);
  const showPolicy = check('Policy', 'policy', false);
  const itself = h('p', { class: 'small quiet num' });
  const graph = h('div', { onclick: (/** @type {MouseEvent} */ event) => {
    const line = tree.line();
    const ply = plyAt(event, line.length);
    if (ply !== null) goTo(line[ply]);
  } });
  const worstList = h('ul', { class: 'worst-list', onclick: (/** @type {Event} */ event) => {
    const ply = numberAt(event, 'ply');
    if (ply !== null) goTo(tree.line()[ply]);
  } });
  const surveyButton = h('button', { type: 'button', id: 'survey', onclick: survey }, 'Look at the whole game');
  const surveyPlayouts = h('select', { 'aria-label': 'Playouts for each move' },
    [['20s', 'about 20 seconds'], ['60s', 'about a minute'], ['300s', 'about 5 minutes']].map(([value, label]) => h('option', { value, selected: value === '60s' }, label)),
    [20, 100, 400, 1000, 4000].map((n) => h('option', { value: n }, `${n} a move`)));
  const view = treeView((node) => goTo(node));
  const comment = h('p', { class: 'comment' });
  const heading = h('h2', {});
  const picker = filePicker((sgf) => ask('read-record', { sgf }));
  const size = h('select', { 'aria-label': 'Size of an empty board' }, [9, 13, 19, 5, 7, 11].map((n) => h('option', { value: n }, `${n}×${n}`)));

  const element = h('div', { class: 'view two' },
    h('div', { class: 'table' }, board.element),
    h('section', { class: 'panel', 'aria-label': 'Analysis' },
      h('div', { class: 'card' }, heading, meter, facts,
        h('div', { class: 'row' }, runButton, limit, recipe, net.element),
        h('div', { class: 'row small' }, showCandidates.element, showOwners.element, showPolicy.element), itself,
        h('div', { class: 'moves-box' }, h('table', { class: 'moves small' },
          h('thead', {}, h('tr', {}, ['Move', 'Wins', 'Score', 'Visits', 'Expected'].map((text, idx) => h('th', { class: idx && idx < 4 ? 'n' : '' }, text)))), moves))),
      h('div', { class: 'card' }, h('h3', {}, 'Game'), graph,
        h('div', { class: 'row' }, surveyButton, surveyPlayouts), worstList),
      h('div', { class: 'card' }, h('h3', {}, 'Variations'), view.element, comment,
        h('div', { class: 'walk-row row' },
          small('«', 'First position', () => goTo(tree.root)), small('‹', 'One move back', () => step(-1)),
          small('›', 'One move forward', () => step(1)), small('»', 'Last position', () => goTo(tree.line().at(-1) ?? tree.root)),
          small('Pass', 'Pass', () => play(PASS)), small('Delete', 'Delete this move and what follows', remove)),
        h('div', { class: 'row' },
          h('button', { type: 'button', onclick: () => picker.click() }, 'Open SGF'),
          h('button', { type: 'button', onclick: () => download('analysis.sgf', tree.toSgf()) }, 'Save SGF'),
          h('button', { type: 'button', onclick: clear }, 'Empty board'), size, picker))));

  on('welcome', (welcome) => {
    fillRecipes(welcome);
    // A server that was away has forgotten what it searched.
    isRunning = false;
    surveyed = 0;
    if (isHere && isLive) restart();
    draw();
  });
  if (shared.welcome) fillRecipes(shared.welcome);
  on('raw', (raw) => {
    if (raw.number !== number) return;
    tree.current.raw = raw;
    draw();
  });
  on('report', (report) => {
    if (report.number !== number) return;
    isRunning = !report.done;
    const node = tree.current;
    node.report = report;
    node.value = { win: blackWin(report), score: report.score, best: report.choice };
    if (report.done) draw();
    else drawNews();
  });
  on('survey', (point) => {
    if (point.number !== surveyNumber) return;
    const node = surveyLine.find((node) => node.depth === point.ply);
    if (node) node.value = { win: point.win, score: point.score, best: point.best };
    surveyed = point.ply + 1;
    drawGame();
  });
  on('review', (review) => {
    if (review.number !== surveyNumber) return;
    surveyShare = review.share;
    for (const node of surveyLine) {
      node.review = review.moves.find((move) => move.ply === node.depth) ?? null;
      if (review.done && node.value) node.value = { ...node.value, win: review.win[node.depth], score: review.score[node.depth] };
    }
    if (review.done) {
      surveyed = 0;
      if (isLive) restart();
    }
    drawGame();
  });
  on('tree', (message) => { if (isHere) open(GameTree.of(message), message); });
  on('error', (fault) => {
    if (!isHere || (fault.ask !== 'study' && fault.ask !== 'survey')) return;
    isRunning = false;
    surveyed = 0;
    // Whoever has gone on meanwhile stands at a move that nobody has complained of.
    if (fault.kind === 'illegal' && number && !tree.current.children.length) {
      tree.removeCurrent();
      restart();
    }
    draw();
  });

  /** @param {Welcome} welcome */
  function fillRecipes(welcome) {
    const wanted = recipe.value !== 'default' ? recipe.value : net.value() ? 'katago' : 'default';
    fill(recipe, welcome.recipes.map(({ name: value, about }) => h('option', { value, title: about, selected: value === wanted }, value)));
  }

  /** What one network found says nothing of another. */
  function changed() {
    if (surveyed) {
      surveyed = surveyNumber = 0;
      ask('stop');
    }
    isRunning = false;
    number = 0;
    tree.forget();
    restart();
    draw();
  }

  /** A recipe that asks goes with a network, another without. */
  function netChosen() {
    if (net.value() && !asksNet(recipe.value)) recipe.value = 'katago';
    if (!net.value() && asksNet(recipe.value)) recipe.value = 'default';
    changed();
  }

  function recipeChosen() {
    const first = net.first();
    if (!asksNet(recipe.value)) net.choose('');
    else if (!net.value() && first) net.choose(first);
    changed();
  }

  /** When the curves were drawn last. */
  let drawnAt = 0;
  const drawNews = everyFrame(() => {
    drawBoard();
    drawReport();
    if (performance.now() - drawnAt > 500) {
      drawnAt = performance.now();
      drawGame();
    }
  });

  /**
   * @param {string} label
   * @param {string} key
   * @param {boolean} otherwise
   */
  function check(label, key, otherwise) {
    const input = h('input', { type: 'checkbox', checked: recall(key, otherwise), onchange: () => { remember(key, input.checked); drawBoard(); } });
    return { element: h('label', { class: 'check' }, input, label), isOn: () => input.checked };
  }

  /**
   * @param {string} label
   * @param {string} about
   * @param {() => void} action
   */
  function small(label, about, action) {
    return h('button', { type: 'button', title: about, 'aria-label': about, onclick: action }, label);
  }

  /** @param {Event} event */
  function playRow(event) {
    const at = numberAt(event, 'point');
    if (at !== null) play(at);
  }

  /** @param {Event} event */
  function point(event) {
    row = event.target instanceof Element ? event.target.closest('tr') : null;
    drawBoard();
  }

  function leave() {
    row = null;
    drawBoard();
  }

  /** @param {GameTree} opened @param {Tree} [from] */
  function open(opened, from) {
    tree = opened;
    tree.current = tree.root;
    if (from?.is_cut) toast('The record is very large; only its first part is shown.');
    moved();
  }

  function clear() {
    const side = Number(size.value);
    open(new GameTree({ width: side, height: side, komi: side < 7 ? 0.5 : 7.5, rules: 'chinese', handicap: 0 }));
  }

  /** @param {number} point */
  function play(point) {
    if (point >= 0 && tree.current.stones[point] !== '.') return;
    tree.play(point);
    moved();
  }

  /** @param {GameNode} node */
  function goTo(node) {
    if (node === tree.current) return;
    tree.current = node;
    moved();
  }

  /** @param {number} by */
  function step(by) {
    const next = by < 0 ? tree.current.parent : tree.current.children[0];
    if (next) goTo(next);
  }

  /** Goes to the next variation beside this one. @param {number} by */
  function beside(by) {
    const siblings = tree.current.parent?.children ?? [];
    const next = siblings[siblings.indexOf(tree.current) + by];
    if (next) goTo(next);
  }

  function remove() {
    tree.removeCurrent();
    moved();
  }

  function moved() {
    shared.spot = tree.spot();
    const plain = tree.toPlain();
    if (plain.nodes.length < 3000) remember('analysis', plain);
    isRunning = false;
    number = 0;
    if (isLive) restart();
    draw();
  }

  function toggle() {
    isLive = !isLive;
    remember('live', isLive);
    if (isLive) restart();
    else stop();
    draw();
  }

  function stop() {
    clearTimeout(timer);
    ask('stop');
  }

  function restart() {
    clearTimeout(timer);
    if (!isLive || !isHere || surveyed) return;
    // Whoever leafs through a game does not want every position searched.
    timer = setTimeout(() => {
      number = newNumber();
      isRunning = true;
      const playouts = Number(limit.value) || null;
      ask('study', { number, spot: tree.spot(), recipes: [recipe.value || 'default'], net: net.value(), playouts });
      draw();
    }, 60);
  }

  function survey() {
    if (surveyed) {
      surveyed = 0;
      surveyNumber = 0;
      stop();
      restart();
      return drawGame();
    }
    surveyLine = tree.line();
    surveyNumber = newNumber();
    surveyed = 1;
    surveyShare = 0;
    clearTimeout(timer);
    const { value } = surveyPlayouts;
    const budget = value.endsWith('s') ? { time: Number.parseInt(value, 10) } : { playouts: Number(value) };
    ask('survey', { number: surveyNumber, spot: tree.spot(surveyLine.at(-1)), ...budget, net: net.value() });
    drawGame();
  }

  function draw() {
    drawBoard();
    drawReport();
    drawGame();
    view.draw(tree);
    comment.textContent = tree.current.comment;
    comment.hidden = !tree.current.comment;
  }

  function drawBoard() {
    const { width, height } = tree.base;
    const { stones, toPlay, last, report, raw } = tree.current;
    const policy = raw && showPolicy.isOn() ? raw.policy : null;
    const pointed = row?.isConnected ? row.getAttribute('data-point') : hovered;
    const line = pointed === null ? undefined : report?.lines[String(pointed)];
    /** @type {import('./board.js').Candidate[]} */
    const candidates = [];
    if (report && showCandidates.isOn() && !line && !policy) {
      const most = Math.max(1, ...report.arms.map((arm) => arm[1]));
      for (const arm of report.arms.slice(0, 12)) {
        if (arm[1] < 0.015 * most) continue;
        candidates.push({ point: arm[0], title: percent(arm[3], 0).replace(/\D*$/, ''), note: short(arm[1]), isBest: arm[0] === report.choice, share: arm[1] / most });
      }
    }
    board.show({
      width, height, stones, last, candidates,
      hover: toPlay,
      heat: policy && !line ? policyHeat(policy.slice(0, width * height)) : [],
      ownership: report && showOwners.isOn() && !line ? report.ownership : [],
      ghosts: line?.map((point, idx) => ({ point, color: idx % 2 ? other(toPlay) : toPlay, text: String(idx + 1) })) ?? [],
      marks: tree.current.children.slice(1).concat(tree.current.children.slice(0, 1))
        .flatMap((child) => (child.last !== null && child.last >= 0 && !candidates.some(({ point }) => point === child.last) && !line
          ? [{ point: child.last, kind: /** @type {const} */ ('triangle') }] : [])),
    });
  }

  function drawReport() {
    const { report, raw, toPlay, value } = tree.current;
    const { width, height } = tree.base;
    runButton.textContent = isLive ? 'Stop' : 'Analyse';
    runButton.setAttribute('aria-pressed', String(isLive));
    const [black, white] = tree.players;
    fill(heading, black || white ? `${black || 'Black'} – ${white || 'White'} ` : '', h('span', { class: 'quiet small' }, `${title(toPlay)} to play · move ${tree.current.depth}`));
    if (value) {
      meter.setAttribute('aria-label', `Black wins ${percent(value.win)}`);
      const bar = h('span', { class: 'fill' });
      bar.style.width = `${100 * value.win}%`;
      fill(meter, bar, h('span', { class: 'ends' }, h('span', {}, `● ${percent(value.win)}`), h('span', {}, `${percent(1 - value.win)} ○`)));
    } else fill(meter);
    facts.textContent = report
      ? `${margin(report.score)} expected · ${count(report.simulations)} ${raw ? 'visits' : 'playouts'} · ${short(Math.round(report.simulations / Math.max(0.001, report.seconds)))}/s${isRunning ? '' : ' · stopped'}`
      : isRunning ? 'Searching…' : 'Not searched yet.';
    showPolicy.element.hidden = !net.value();
    itself.hidden = !net.value();
    itself.textContent = raw ? `${raw.net} at first sight: Black ${percent(raw.win)}, ${margin(raw.score)}${raw.policy[width * height] < 0.01 ? '' : `, pass ${percent(raw.policy[width * height], 0)}`}` : `${net.value()} was not asked yet`;
    renew(moves, (report?.arms ?? []).slice(0, 15).map((arm) => h('tr', {
      class: arm[0] === report?.choice ? 'chosen' : '', tabindex: 0, 'data-point': arm[0],
    },
      h('td', {}, h('b', {}, name(width, height, arm[0])), arm[0] === report?.choice ? ' ★' : ''), h('td', { class: 'n' }, percent(arm[3])),
      h('td', { class: 'n' }, arm[7] === null ? '–' : margin(toPlay === 'black' ? arm[7] : -arm[7])),
      h('td', { class: 'n' }, count(arm[1])),
      h('td', { class: 'line' }, (report?.lines[String(arm[0])] ?? []).slice(1, 6).map((point) => name(width, height, point)).join(' ')))));
  }

  function drawGame() {
    const line = tree.line();
    const now = line.indexOf(tree.current);
    const values = levelled(line);
    const worst = worstOf(line);
    renew(graph, line.length < 2 ? h('p', { class: 'small quiet' }, 'Play some moves or open a record to see how the game goes.')
      : gameGraph(values, now, worst.filter(({ isUnsure }) => !isUnsure)));
    surveyButton.disabled = line.length < 2;
    const { width, height } = tree.base;
    renew(worstList, worst.map(({ ply, isUnsure, review }, idx) => {
      const node = line[ply];
      const [loss, low, high] = review.loss.map((share) => Math.round(100 * share));
      const costs = `−${loss} % [${low}, ${high}], −${review.points[0].toFixed(1)} points`;
      return h('li', {}, h('button', { type: 'button', 'data-ply': ply - 1 },
        isUnsure ? h('b', { class: 'quiet' }, '? unsure:') : h('b', { class: 'bad' }, `${idx + 1} ▲`),
        ` Move ${node.depth}, ${title(other(node.toPlay))} ${name(width, height, node.last ?? PASS)}: ${costs}`,
        review.line.length ? `, better ${name(width, height, review.line[0])}` : ''));
    }));
    const progress = surveyShare ? percent(surveyShare, 0) : `${surveyed} of ${surveyLine.length}`;
    surveyButton.textContent = surveyed ? `Stop (${progress})` : 'Look at the whole game';
  }

  draw();
  return {
    element,
    enter: () => {
      isHere = true;
      const given = shared.toAnalyse;
      shared.toAnalyse = null;
      if (given?.tree) open(GameTree.of(given.tree), given.tree);
      else if (given?.spot) {
        tree = GameTree.ofSpot(given.spot);
        tree.players = given.players;
        tree.result = given.result;
        moved();
      } else {
        shared.spot = tree.spot();
        if (isLive) restart();
        draw();
      }
    },
    leave: () => {
      isHere = false;
      surveyed = 0;
      stop();
    },
    key: (event) => {
      switch (event.key) {
        case 'ArrowLeft': step(-1); return true;
        case 'ArrowRight': step(1); return true;
        case 'ArrowUp': beside(-1); return true;
        case 'ArrowDown': beside(1); return true;
        case 'Home': goTo(tree.root); return true;
        case 'End': goTo(tree.line().at(-1) ?? tree.root); return true;
        case ' ': toggle(); return true;
        case 'p': case 'P': play(PASS); return true;
        case 'u': case 'U': step(-1); return true;
        case 'Delete': remove(); return true;
        default: return false;
      }
    },
  };
}

function restore() {
  const plain = recall('analysis', /** @type {any} */ (null));
  try {
    if (plain) return GameTree.of(plain);
  } catch {
    // What an older page remembered is no loss.
  }
  return new GameTree({ width: 9, height: 9, komi: 7.5, rules: 'chinese', handicap: 0 });
}
