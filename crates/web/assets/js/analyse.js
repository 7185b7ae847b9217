// Analysing: a position or a game with variations, candidates on the board, and how the game went.

import { Board } from './board.js';
import { chooser, count, download, everyFrame, fill, filePicker, h, margin, numberAt, percent, recall, remember, renew, toast, watchHeights } from './dom.js';
import { gameCard } from './gamecard.js';
import { GameTree, moveNumbers } from './gametree.js';
import { ask, on } from './link.js';
import { asksNet, netChooser } from './nets.js';
import { t } from './lang.js';
import { marking, marksOf } from './marking.js';
import { PASS, name, other, title } from './rules.js';
import { newNumber, shared } from './shared.js';
import { treeView } from './treeview.js';
import { blackWin, candidatesOf, policyHeat, short } from './values.js';

/** @import { Tree, View, Welcome } from './types.js' */
/** @import { GameNode } from './gametree.js' */
/** @import { Measure } from './values.js' */

/** Bytes of a message that the server still hears. */
const MAX_MESSAGE = 1_000_000;

/** @returns {View} */
export function analyse() {
  let tree = restore();
  let isLive = recall('live', true);
  let isRunning = false;
  let number = 0;
  /** @type {number | null} */
  let hovered = null;
  /** The row of the table that is pointed at. @type {Element | null} */
  let row = null;
  let isHere = false;
  /** @type {number | undefined} */
  let timer;

  /** The timer of what is to be remembered. @type {number | undefined} */
  let keeping;
  /** Studies that were asked for and not heard of. */
  let nAsked = 0;
  /** The number of the record that was asked for. */
  let opening = 0;

  const board = new Board({ play, hover: (point) => { hovered = point; drawBoard(); } });
  const meter = h('div', { class: 'meter', role: 'img' });
  const facts = h('p', { class: 'small quiet num', id: 'facts' });
  const moves = h('tbody', {
    onclick: playRow, onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter') playRow(event); },
    onpointerover: point, onfocusin: point, onpointerleave: leave, onfocusout: leave,
  });
  const runButton = h('button', { type: 'button', class: 'primary', id: 'run', onclick: toggle });
  const limit = h('select', { id: 'limit', 'aria-label': t('analyse.playouts'), onchange: () => restart() },
    [0, 1000, 10_000, 100_000].map((value) => h('option', { value }, value ? count(value) : t('analyse.until-stopped'))));
  const recipe = h('select', { id: 'recipe', 'aria-label': t('analyse.recipe'), onchange: recipeChosen }, h('option', { value: 'default' }, 'default'));
  const net = netChooser('analysis-net', 'net.analyse', t('analyse.no-net'), netChosen);
  const measure = chooser('measure', t('analyse.measure'), /** @type {[Measure, string][]} */ ([['win', t('analyse.by-win')], ['score', t('analyse.by-score')]]), draw);
  const numbers = chooser('numbers', t('analyse.numbers'), [['none', t('analyse.no-numbers')], ['last', t('analyse.last-number')], ['all', t('analyse.all-numbers')]], drawBoard);
  const showCandidates = check('show-candidates', t('analyse.candidates'), 'candidates', true);
  const showOwners = check('show-ownership', t('analyse.ownership'), 'ownership', false);
  const showPolicy = check('show-policy', t('analyse.policy'), 'policy', false);
  const itself = h('p', { class: 'small quiet num' });
  const game = gameCard({
    tree: () => tree, net: net.value, measure: measure.value, goTo, begun: () => clearTimeout(timer), ended: () => { if (isLive) restart(); },
  });
  const view = treeView((node) => goTo(node));
  const writing = marking((key, text) => {
    tree.write(key, text);
    keep();
    view.draw(tree);
  });
  const heading = h('h2', {});
  const place = h('span', { class: 'place num', id: 'place', 'aria-live': 'off' });
  const notice = h('p', { class: 'notice small', role: 'status', id: 'notice', hidden: true });
  const picker = filePicker((sgf, file) => {
    opening = newNumber();
    waiting = { sgf, file };
    ask('read-record', { sgf, number: opening });
  });
  /** What was sent to be read. @type {{sgf: string, file: string}} */
  let waiting = { sgf: '', file: '' };
  const size = h('select', { 'aria-label': t('analyse.empty-size') }, [9, 13, 19, 5, 7, 11].map((n) => h('option', { value: n }, `${n}×${n}`)));

  const found = h('div', {}, h('div', { class: 'moves-box' }, h('table', { class: 'moves small' },
    h('thead', {}, h('tr', {}, [t('analyse.move'), t('analyse.wins'), t('analyse.score'), t('analyse.visits'), t('analyse.expected')].map((text, idx) => h('th', { class: idx && idx < 4 ? 'n' : '' }, text)))), moves)),
  legend());
  const stage = h('div', { class: 'stage' }, board.element,
    h('div', { class: 'steps', role: 'group', 'aria-label': t('analyse.steps') },
      small('«', t('common.first'), () => goTo(tree.root)), small('‹', t('common.back'), () => step(-1)), place,
      small('›', t('common.forward'), () => step(1)), small('»', t('common.last'), () => goTo(tree.line().at(-1) ?? tree.root))));
  const element = h('div', { class: 'view staged' }, stage, game.graph,
    h('section', { class: 'panel', 'aria-label': t('tab.analyse') },
      notice,
      h('div', { class: 'card' }, heading, meter, facts,
        h('div', { class: 'row' }, runButton, measure.element, net.element),
        h('div', { class: 'row small' }, showCandidates.element, showOwners.element, showPolicy.element, h('label', { class: 'check' }, t('analyse.numbers'), numbers.element)), itself,
        found,
        h('details', { class: 'advanced' }, h('summary', {}, t('analyse.advanced')),
          h('div', { class: 'row' }, h('label', { class: 'check' }, t('analyse.recipe'), recipe), h('label', { class: 'check' }, t('analyse.playouts'), limit)))),
      h('div', { class: 'card' }, h('h3', {}, t('analyse.variations')), view.element,
        h('div', { class: 'row' }, small(t('play.pass'), t('play.pass'), () => play(PASS)), small(t('analyse.delete'), t('analyse.delete-about'), remove)),
        writing.element),
      game.element,
      h('div', { class: 'card' }, h('div', { class: 'row' },
        h('button', { type: 'button', onclick: () => picker.click() }, t('common.open-sgf')),
        h('button', { type: 'button', id: 'save-sgf', onclick: save }, t('common.save-sgf')),
        h('button', { type: 'button', onclick: clear }, t('analyse.empty')), size, picker))));
  watchHeights(stage);

  on('welcome', (welcome) => {
    fillRecipes(welcome);
    // A server that was away has forgotten what it searched.
    isRunning = false;
    game.forget();
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
    nAsked = 0;
    const node = tree.current;
    node.report = report;
    node.value = { win: blackWin(report), score: report.score, best: report.choice };
    if (report.done) draw();
    else drawNews();
  });
  on('tree', (message) => {
    // Others ask for records as well, and an older file may come after a newer one.
    if (message.number !== opening || !opening) return;
    opening = 0;
    open(Object.assign(GameTree.of(message), waiting), message);
  });
  on('edited', (file) => download(tree.file || file.name, file.sgf));
  on('error', (fault) => {
    if (!isHere || (fault.ask !== 'study' && fault.ask !== 'survey')) return;
    isRunning = false;
    game.forget();
    if (fault.kind === 'illegal' && number) {
      const { origin, children } = tree.current;
      const isSure = nAsked === 1;
      nAsked = 0;
      // Of several questions it is not known which one was refused: the last is asked again. Moves of a record stay.
      if (isSure && origin === null && !children.length) tree.removeCurrent();
      if (!isSure || origin === null) moved();
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
    if (game.isBusy()) {
      game.forget();
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
      game.draw();
    }
  });

  /**
   * @param {string} id
   * @param {string} label
   * @param {string} key
   * @param {boolean} otherwise
   */
  function check(id, label, key, otherwise) {
    const input = h('input', { type: 'checkbox', id, checked: recall(key, otherwise), onchange: () => { remember(key, input.checked); drawBoard(); } });
    return { element: h('label', { class: 'check' }, input, label), isOn: () => input.checked };
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
    fill(notice, from?.stop ? t('analyse.stopped-at', { moves: from.stop.moves, why: from.stop.why }) : from?.is_cut ? t('analyse.cut') : '');
    notice.hidden = !notice.textContent;
    moved();
  }

  function save() {
    const message = tree.toAsk();
    if (JSON.stringify(message).length > MAX_MESSAGE) toast(t('common.file-too-large'));
    else ask('edit-record', message);
  }

  function clear() {
    const side = Number(size.value);
    open(new GameTree({ width: side, height: side, komi: side < 7 ? 0.5 : 7.5, rules: 'chinese', handicap: 0 }));
  }

  /** @param {number} point */
  function play(point) {
    if (point >= 0 && writing.mark(tree, point)) {
      keep();
      return draw();
    }
    if (point >= 0 && tree.current.stones[point] !== '.') return toast(t('board.occupied'));
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

  /** What is here is remembered soon: whoever leafs through a game need not wait for it. */
  function keep() {
    clearTimeout(keeping);
    keeping = setTimeout(keepNow, 400);
  }

  function keepNow() {
    clearTimeout(keeping);
    const plain = tree.toPlain();
    if (plain.nodes.length < 3000) remember('analysis', plain);
  }
  addEventListener('pagehide', keepNow);

  function moved() {
    shared.spot = tree.spot();
    keep();
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
    if (!isLive || !isHere || game.isBusy()) return;
    // Whoever leafs through a game does not want every position searched.
    timer = setTimeout(() => {
      number = newNumber();
      nAsked += 1;
      isRunning = true;
      const playouts = Number(limit.value) || null;
      ask('study', { number, spot: tree.spot(), recipes: [recipe.value || 'default'], net: net.value(), playouts });
      draw();
    }, 60);
  }

  function draw() {
    drawBoard();
    drawReport();
    game.draw();
    view.draw(tree);
    writing.show(tree.current);
    const of = tree.line().at(-1)?.depth ?? 0;
    place.textContent = t('play.move', { at: tree.current.depth, of });
  }

  function drawBoard() {
    const { width, height } = tree.base;
    const { stones, toPlay, last, report, raw, children, marks } = tree.current;
    const policy = raw && showPolicy.isOn() ? raw.policy : null;
    const pointed = row?.isConnected ? row.getAttribute('data-point') : hovered;
    const line = pointed === null ? undefined : report?.lines[String(pointed)];
    const candidates = report && showCandidates.isOn() && !line && !policy ? candidatesOf(report, measure.value()) : [];
    const own = line ? [] : marksOf(marks);
    const numbered = numbers.value() === 'none' ? [] : [...moveNumbers(tree, numbers.value() === 'all' ? 'all' : 'last')];
    const shown = numbered.filter(([at]) => own.every(({ point }) => point !== at));
    /** @type {import('./board.js').Mark[]} */
    const next = line ? [] : children.flatMap((child, idx) => (child.last !== null && child.last >= 0
      ? [{ point: child.last, kind: /** @type {const} */ ('next'), tone: idx ? 'aside' : toPlay }] : []));
    board.show({
      width, height, stones, candidates,
      last: shown.some(([point]) => point === last) ? null : last,
      hover: writing.isPlaying() ? toPlay : null,
      heat: policy && !line ? policyHeat(policy.slice(0, width * height)) : [],
      ownership: report && showOwners.isOn() && !line ? report.ownership : [],
      ghosts: line?.map((point, idx) => ({ point, color: idx % 2 ? other(toPlay) : toPlay, text: String(idx + 1) })) ?? [],
      marks: [
        ...next.reverse(), ...own,
        ...shown.map(([point, n]) => ({ point, kind: /** @type {const} */ ('label'), text: String(n), tone: point === last ? 'latest' : '' })),
      ],
    });
  }

  function drawReport() {
    const { report, raw, toPlay, value } = tree.current;
    const { width, height } = tree.base;
    runButton.textContent = t(isLive ? 'analyse.stop' : 'common.analyse');
    runButton.setAttribute('aria-pressed', String(isLive));
    const [black, white] = tree.players;
    fill(heading, black || white ? `${black || title('black')} – ${white || title('white')} ` : '', h('span', { class: 'quiet small' }, t('board.to-play', { color: title(toPlay) })));
    if (value) {
      const isScore = measure.value() === 'score';
      meter.setAttribute('aria-label', t('analyse.black-wins', { win: percent(value.win), score: margin(value.score) }));
      const bar = h('span', { class: 'fill' });
      bar.style.width = `${100 * value.win}%`;
      fill(meter, bar, h('span', { class: 'ends' }, h('span', {}, isScore && value.score > 0 ? `● ${margin(value.score)}` : isScore ? '●' : `● ${percent(value.win)}`),
        h('span', {}, isScore && value.score < 0 ? `${margin(value.score)} ○` : isScore ? '○' : `${percent(1 - value.win)} ○`)));
    } else fill(meter);
    facts.textContent = report
      ? [t('analyse.expects', { score: margin(report.score) }), t(raw ? 'analyse.n-visits' : 'analyse.n-playouts', { n: report.simulations }),
        `${short(Math.round(report.simulations / Math.max(0.001, report.seconds)))}/s`, ...(isRunning ? [] : [t('analyse.stopped')])].join(' · ')
      : t(isRunning ? 'analyse.searching' : 'analyse.not-searched');
    // While positions are searched the table keeps its place, so that nothing jumps away from a finger.
    found.hidden = !isLive && !report;
    showPolicy.element.hidden = !net.value();
    itself.hidden = !net.value();
    const pass = raw?.policy[width * height] ?? 0;
    itself.textContent = raw ? `${t('analyse.first-sight', { net: raw.net, win: percent(raw.win), score: margin(raw.score) })}${pass < 0.01 ? '' : ` · ${t('common.pass')} ${percent(pass, 0)}`}`
      : t('analyse.not-asked', { net: net.value() ?? '' });
    renew(moves, (report?.arms ?? []).slice(0, 15).map((arm) => h('tr', {
      class: arm[0] === report?.choice ? 'chosen' : '', tabindex: 0, 'data-point': arm[0],
    },
      h('td', {}, h('b', {}, name(width, height, arm[0])), arm[0] === report?.choice ? ' ★' : ''), h('td', { class: 'n' }, percent(arm[3])),
      h('td', { class: 'n' }, arm[7] === null ? '–' : margin(toPlay === 'black' ? arm[7] : -arm[7])),
      h('td', { class: 'n' }, count(arm[1])),
      h('td', { class: 'line' }, (report?.lines[String(arm[0])] ?? []).slice(1, 6).map((point) => name(width, height, point)).join(' ')))));
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
        notice.hidden = true;
        moved();
      } else {
        shared.spot = tree.spot();
        if (isLive) restart();
        draw();
      }
    },
    leave: () => {
      isHere = false;
      game.forget();
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
        case 'Escape': return writing.reset();
        default: return false;
      }
    },
  };
}

/**
 * @param {string} label
 * @param {string} about
 * @param {() => void} action
 */
function small(label, about, action) {
  return h('button', { type: 'button', title: about, 'aria-label': about, onclick: action }, label);
}

/** What the colours and shapes of candidates mean. */
function legend() {
  const shapes = ['●', '●', '■', '◆'];
  return h('p', { class: 'legend small quiet' }, shapes.map((shape, grade) => h('span', {},
    h('span', { class: `grade-${grade}`, 'aria-hidden': 'true' }, shape), ' ', t(/** @type {const} */ (['grade.0', 'grade.1', 'grade.2', 'grade.3'])[grade]))));
}

function restore() {
  const plain = recall('analysis', /** @type {any} */ (null));
  try {
    if (plain?.n_told) return GameTree.of(plain);
  } catch {
    // What an older page remembered is no loss.
  }
  return new GameTree({ width: 9, height: 9, komi: 7.5, rules: 'chinese', handicap: 0 });
}
