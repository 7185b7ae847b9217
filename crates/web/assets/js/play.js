// Playing against Tengen.

import { Board } from './board.js';
import { clockText, watchClock } from './clock.js';
import { confirmed } from './dialogs.js';
import { count, download, fill, filePicker, h, percent, say, toast } from './dom.js';
import { endCard } from './end.js';
import { gamesDialog } from './games.js';
import { t } from './lang.js';
import { opponent } from './levels.js';
import { ask, on } from './link.js';
import { newGameDialog } from './newgame.js';
import { PASS, after, name, ruleName, title } from './rules.js';
import { resultText, scoreTable } from './score.js';
import { shared } from './shared.js';
import { click } from './sound.js';
import { areaOf, ghosts, lessonCard } from './teach.js';

/** @import { Game, Hint, Side, View, Welcome } from './types.js' */

/** @returns {View} */
export function play() {
  let game = shared.game;
  /** @type {Welcome | null} */
  let welcome = shared.welcome;
  /** @type {Hint | null} */
  let hint = null;
  /** A hint tells the area first, and the move when it is asked for again. */
  let isHintWhole = false;
  let isHintComing = false;
  /** How many moves are shown; none: all. @type {number | null} */
  let shown = null;
  /** Where the visitor has just played, until the server answers. @type {number | null} */
  let sent = null;
  /** Where the visitor has played last, whatever becomes of it. */
  let tried = PASS;

  const board = new Board({ play: press });
  const status = h('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
  const players = h('div', { class: 'players' });
  const count_ = h('div', { class: 'count' });
  const passButton = button('play.pass', 'P', () => move(PASS));
  const undoButton = button('play.undo', 'U', undo);
  const hintButton = button('play.hint', 'H', askHint);
  const resignButton = button('play.resign', '', async () => {
    if (await confirmed(t('play.resign-ask'), t('play.resign'))) ask('resign');
  });
  const actions = h('div', { class: 'actions' }, passButton, undoButton, hintButton, resignButton);
  const teach = h('input', { type: 'checkbox', id: 'teach', onchange: () => ask('teach', { on: teach.checked }) });
  const teachLabel = h('label', { class: 'check small', title: t('teach.about') }, teach, t('teach.label'));
  const slider = h('input', {
    type: 'range', min: 0, max: 0, value: 0, 'aria-label': t('play.move-shown'), oninput: () => go(Number(slider.value)),
  });
  const number = h('span', { class: 'num small quiet' });
  const fromHere = h('button', { type: 'button', id: 'play-from', class: 'small', onclick: playFrom }, t('play.from-here'));
  const terms = h('p', { class: 'quiet small' });
  const dialog = newGameDialog(start);
  const games = gamesDialog();
  const lesson = lessonCard(() => draw());
  const end = endCard({ spot: spotOf, start, go: (ply) => { go(ply); comeIntoView(); } });
  const picker = filePicker((sgf) => ask('load-game', { sgf, color: game?.color ?? 'black', level: game?.level ?? 4, net: game?.net ?? null }));
  const panel = h('section', { class: 'panel', 'aria-label': t('play.game') },
    h('div', { class: 'card now' }, players, status, lesson.element, count_, actions),
    end.element,
    h('div', { class: 'card' },
      h('div', { class: 'walk' }, walk('«', 'common.first', () => go(0)), walk('‹', 'common.back', () => step(-1)), slider,
        walk('›', 'common.forward', () => step(1)), walk('»', 'common.last', () => go(Infinity))),
      h('div', { class: 'row spread' }, number, fromHere, teachLabel)),
    h('div', { class: 'card' },
      h('div', { class: 'row' },
        h('button', { type: 'button', class: 'primary', id: 'new-game', onclick: () => dialog.open(welcome, game) }, t('play.new-game')),
        h('button', { type: 'button', id: 'my-games', onclick: () => games.open() }, t('play.my-games')),
        h('button', { type: 'button', id: 'analyse-game', onclick: toAnalysis }, t('common.analyse')),
        h('button', { type: 'button', onclick: () => ask('save-game') }, t('common.save-sgf')),
        h('button', { type: 'button', onclick: () => picker.click() }, t('common.open-sgf')),
        picker),
      terms));
  const element = h('div', { class: 'view two play' }, h('div', { class: 'table' }, board.element), panel, dialog.element, games.element);

  on('welcome', (message) => {
    welcome = message;
    isHintComing = false;
    draw();
  });
  on('game', (message) => {
    const before = game;
    game = message;
    sent = null;
    const isSame = before?.id === message.id;
    if (!before || !isSame || before.moves.length !== message.moves.length || before.phase !== message.phase) {
      hint = null;
      isHintComing = false;
      shown = null;
      if (isSame && before && message.moves.length > before.moves.length) announce(message);
      if (before && !isSame) comeIntoView();
    }
    draw(Boolean(isSame && before?.phase !== 'over' && message.phase === 'over'));
  });
  on('hint', (message) => {
    isHintComing = false;
    if (!game || message.ply !== game.moves.length) return;
    hint = message;
    // There is no area around a pass.
    isHintWhole = message.point === PASS;
    if (isHintWhole) toast(t('play.hint-pass'));
    draw();
  });
  on('record', (file) => download(file.name, file.sgf));
  on('error', (fault) => {
    if (fault.ask === 'hint') isHintComing = false;
    if (fault.ask === 'move') {
      sent = null;
      if (fault.kind === 'illegal') board.note(t(whyIllegal(tried)));
    }
    draw();
  });
  watchClock(() => game, () => ask('flag'), () => drawPlayers());

  /**
   * @param {'play.pass' | 'play.undo' | 'play.hint' | 'play.resign'} key
   * @param {string} letter
   * @param {() => void} action
   */
  function button(key, letter, action) {
    return h('button', { type: 'button', id: key.slice(5), onclick: action, title: letter && t('common.key', { key: letter }), 'aria-keyshortcuts': letter || undefined }, t(key));
  }

  /**
   * @param {string} sign
   * @param {import('./lang.js').Key} key
   * @param {() => void} action
   */
  function walk(sign, key, action) {
    return h('button', { type: 'button', title: t(key), 'aria-label': t(key), onclick: action }, sign);
  }

  /** @param {import('./types.js').NewGame} fields */
  function start(fields) {
    hint = null;
    ask('new-game', fields);
    comeIntoView();
  }

  /** The board as it is after a start, on a phone as well. */
  function comeIntoView() {
    if (element.isConnected) scrollTo(0, 0);
  }

  /** @param {Game} current */
  function announce(current) {
    const [side, point] = current.moves[current.moves.length - 1];
    click();
    say(point === PASS ? t('play.passes', { color: title(side) }) : t('play.plays', { color: title(side), point: name(current.width, current.height, point) }));
  }

  function isMyTurn() {
    return game !== null && game.phase === 'playing' && game.to_play === game.color && sent === null;
  }

  /** Plays at a point, or says why not. @param {number} point */
  function press(point) {
    if (!game) return;
    const isEmpty = game.stones[point] === '.';
    if (shown !== null) {
      go(Infinity);
      board.note(t('board.past'));
    } else if (game.phase === 'counting') {
      if (isEmpty) board.note(t('board.no-stone'));
      else ask('toggle-dead', { point });
    } else if (game.phase === 'over') board.note(t('board.over'));
    else if (game.lesson) board.note(t('board.lesson'));
    else if (!isMyTurn()) board.note(t('board.not-yours'));
    else if (!isEmpty) board.note(t('board.occupied'));
    else move(point);
  }

  /** Why the rules forbid a move at an empty point. @param {number} point */
  function whyIllegal(point) {
    if (!game || game.stones[point] !== '.') return 'board.occupied';
    const { stones } = after(game.stones, game.width, game.height, [game.color, point]);
    return stones[point] === '.' ? 'board.suicide' : 'board.ko';
  }

  /** @param {number} point */
  function move(point) {
    if (!game || !isMyTurn()) return;
    sent = point;
    tried = point;
    hint = null;
    shown = null;
    ask('move', { point, ply: game.moves.length });
    draw();
  }

  function undo() {
    if (!undoButton.disabled) ask('undo');
  }

  function askHint() {
    if (!isMyTurn() || isHintComing) return;
    if (hint) isHintWhole = true;
    else {
      isHintComing = true;
      ask('hint');
    }
    if (hint && game) say(t('play.hint-at', { point: name(game.width, game.height, hint.point) }));
    draw();
  }

  /** @param {number} ply */
  function go(ply) {
    if (!game) return;
    const last = game.moves.length;
    shown = ply >= last ? null : Math.max(0, ply);
    draw();
  }

  /** @param {number} by */
  function step(by) {
    if (game) go((shown ?? game.moves.length) + by);
  }

  function playFrom() {
    if (game) ask('play-from', { ply: shown ?? game.moves.length });
  }

  function toAnalysis() {
    if (!game) return;
    shared.toAnalyse = { spot: spotOf(game), players: namesOf(game), result: game.result ?? '' };
    location.hash = 'analyse';
  }

  /** @param {boolean} [hasEnded] Whether the game has come to its end just now. */
  function draw(hasEnded = false) {
    if (!game) return;
    lesson.draw(game);
    drawBoard(game);
    drawPlayers();
    drawStatus();
    end.draw(game, hasEnded);
    const { width, height, phase } = game;
    const n = game.moves.length;
    slider.max = String(n);
    slider.value = String(shown ?? n);
    number.textContent = t('play.move', { at: shown ?? n, of: n });
    fromHere.hidden = n === 0 || (shown === null && phase !== 'over');
    const isOver = phase === 'over';
    actions.hidden = isOver || game.lesson !== null;
    passButton.disabled = !isMyTurn();
    hintButton.disabled = !isMyTurn() || isHintComing || (hint !== null && isHintWhole);
    hintButton.textContent = t(hint && !isHintWhole ? 'play.hint-move' : 'play.hint');
    undoButton.disabled = isOver || !game.moves.some(([side]) => side === game?.color);
    resignButton.disabled = phase !== 'playing';
    teach.checked = game.teach;
    teachLabel.hidden = isOver || game.clock !== null;
    terms.textContent = [game.name, t('play.terms', { size: `${width}×${height}`, rules: t('rules.with-name', { name: ruleName(game.rules) }), komi: String(game.komi) }),
      game.handicap ? t('play.handicap', { n: game.handicap }) : ''].filter(Boolean).join(' · ');
  }

  /** @param {Game} current */
  function drawBoard(current) {
    const { width, height, color, moves, phase } = current;
    let { stones } = current;
    let last = moves.length ? moves[moves.length - 1][1] : null;
    if (shown !== null) {
      stones = current.start;
      for (const played of moves.slice(0, shown)) stones = after(stones, width, height, played).stones;
      last = shown ? moves[shown - 1][1] : null;
    } else if (sent !== null && sent >= 0) {
      stones = after(stones, width, height, [color, sent]).stones;
      last = sent;
    }
    const isCounted = shown === null && current.score !== null;
    const isLive = shown === null && isMyTurn();
    /** @type {import('./board.js').Picture} */
    const picture = {
      width, height, stones, last, hover: isLive ? color : null, dead: isCounted ? current.dead : [], owners: isCounted ? current.score?.owners : '',
    };
    if (hint && shown === null && !isHintWhole) picture.areas = [areaOf(hint.point, width, height)];
    else if (hint && shown === null) {
      picture.marks = [{ point: hint.point, kind: 'star' }];
      picture.ghosts = ghosts(hint.line.slice(0, 4), color, stones).filter(({ point }) => point !== hint?.point).map((ghost) => ({ ...ghost, faint: true }));
    }
    const taught = shown === null ? lesson.picture(current) : null;
    if (taught) Object.assign(picture, taught, { last: null });
    board.show(picture);
    board.svg.classList.toggle('playable', isLive || phase === 'counting');
  }

  function drawPlayers() {
    if (!game) return;
    const current = game;
    fill(players, (/** @type {Side[]} */ (['black', 'white'])).map((side, idx) => {
      const isYou = side === current.color;
      const isActive = current.phase === 'playing' && current.to_play === side;
      const taken = current.captured[side === 'black' ? 1 : 0];
      const [who, about] = current.players ? [current.players[idx], title(side)]
        : isYou ? [t('common.you'), title(side)] : ['Tengen', `${title(side)} · ${opponent(current.level, current.net)}`];
      return h('div', { class: isActive ? 'player active' : 'player' },
        h('span', { class: `chip ${side}`, role: 'img', 'aria-label': title(side) }),
        h('span', { class: 'who' }, h('b', {}, who), h('span', { class: 'quiet small' }, about)),
        h('span', { class: 'num small taken', title: t('play.captured-title') }, t('play.captured', { n: count(taken) })),
        current.clock ? h('span', { class: 'num clock' }, clockText(current.clock, side)) : null);
    }));
  }

  /** @param {Game} current */
  function statusText(current) {
    if (current.phase === 'over') return current.players ? t('play.study') : '';
    if (current.phase === 'counting') return t(current.thinking ? 'play.finding-dead' : 'play.counting');
    if (current.lesson) return '';
    if (current.checking) return t('teach.looking');
    if (isHintComing) return t('play.finding-hint');
    if (hint) return hintText(current, hint);
    if (isMyTurn()) return t(current.moves.at(-1)?.[1] === PASS ? 'play.tengen-passed' : 'play.your-move');
    return current.trouble ? t('play.cannot-move', { why: current.trouble }) : t('play.thinking');
  }

  function drawStatus() {
    if (!game) return;
    const text = statusText(game);
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle('busy', game.thinking || isHintComing);
    status.hidden = text === '';
    fill(count_,
      game.result ? h('p', { class: 'result' }, resultText(game)) : null,
      game.score ? scoreTable(game.score, game.rules) : null,
      game.phase === 'counting' ? h('div', { class: 'row' },
        h('button', { type: 'button', class: 'primary', id: 'accept', disabled: game.thinking, onclick: () => ask('accept') }, t('play.accept')),
        h('button', { type: 'button', onclick: () => ask('resume') }, t('play.play-on'))) : null);
  }

  /**
   * @param {Game} current
   * @param {Hint} found
   */
  function hintText(current, found) {
    if (!isHintWhole) return t('play.hint-area');
    const point = name(current.width, current.height, found.point);
    return found.win === null ? t('play.hint-at', { point }) : t('play.hint-wins', { point, win: percent(found.win, 0) });
  }

  draw();
  return {
    element,
    // A study in another view ends the look for turning points.
    enter: () => end.rest(),
    key: (event) => {
      switch (event.key) {
        case 'ArrowLeft': step(-1); return true;
        case 'ArrowRight': step(1); return true;
        case 'Home': go(0); return true;
        case 'End': go(Infinity); return true;
        case 'u': case 'U': undo(); return true;
        case 'p': case 'P': move(PASS); return true;
        case 'h': case 'H': askHint(); return true;
        default: return false;
      }
    },
  };
}

/**
 * The game as something to analyse.
 * @param {Game} game
 * @returns {import('./types.js').Spot}
 */
export function spotOf(game) {
  const { width, height, komi, rules, handicap, start, moves } = game;
  /** @type {import('./types.js').SpotStep[]} */
  const steps = [];
  if (/[XO]/.test(start)) {
    const of = (/** @type {string} */ stone) => [...start].flatMap((at, point) => (at === stone ? [point] : []));
    steps.push({ black: of('X'), white: of('O'), to_play: moves[0]?.[0] ?? game.to_play });
  }
  return { width, height, komi, rules, handicap, steps: [...steps, ...moves] };
}

/**
 * @param {Game} game
 * @returns {[string, string]}
 */
function namesOf(game) {
  if (game.players) return game.players;
  const you = t('common.you');
  return game.color === 'black' ? [you, 'Tengen'] : ['Tengen', you];
}
