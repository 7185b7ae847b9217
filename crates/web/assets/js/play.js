// Playing against Tengen.

import { Board } from './board.js';
import { count, download, fill, filePicker, h, percent, say, toast } from './dom.js';
import { ask, on } from './link.js';
import { newGameDialog } from './newgame.js';
import { PASS, after, name, other, ruleName, title } from './rules.js';
import { scoreTable } from './score.js';
import { shared } from './shared.js';
import { click } from './sound.js';
import { clockText, watchClock } from './clock.js';

/** @import { Game, Hint, Side, View, Welcome } from './types.js' */

/** @returns {View} */
export function play() {
  let game = shared.game;
  /** @type {Welcome | null} */
  let welcome = shared.welcome;
  /** @type {Hint | null} */
  let hint = null;
  let isHintComing = false;
  /** How many moves are shown; none: all. @type {number | null} */
  let shown = null;
  /** Where the visitor has just played, until the server answers. @type {number | null} */
  let sent = null;

  const board = new Board({ play: press });
  const status = h('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
  const players = h('div', { class: 'players' });
  const count_ = h('div', { class: 'count' });
  const passButton = button('Pass', 'P', () => move(PASS));
  const undoButton = button('Undo', 'U', () => ask('undo'));
  const hintButton = button('Hint', 'H', askHint);
  const resignButton = button('Resign', '', () => {
    if (confirm('Give this game up?')) ask('resign');
  });
  const slider = h('input', {
    type: 'range', min: 0, max: 0, value: 0, 'aria-label': 'Move shown', oninput: () => go(Number(slider.value)),
  });
  const number = h('span', { class: 'num small quiet' });
  const terms = h('p', { class: 'quiet small' });
  const dialog = newGameDialog((fields) => {
    hint = null;
    ask('new-game', fields);
  });
  const picker = filePicker((sgf) => ask('load-game', { sgf, color: game?.color ?? 'black', level: game?.level ?? 4, net: game?.net ?? null }));
  const panel = h('section', { class: 'panel', 'aria-label': 'Game' },
    h('div', { class: 'card' }, players, status, count_,
      h('div', { class: 'actions' }, passButton, undoButton, hintButton, resignButton)),
    h('div', { class: 'card' },
      h('div', { class: 'walk' },
        h('button', { type: 'button', title: 'First', 'aria-label': 'First position', onclick: () => go(0) }, '«'),
        h('button', { type: 'button', title: 'Back', 'aria-label': 'One move back', onclick: () => step(-1) }, '‹'),
        slider,
        h('button', { type: 'button', title: 'Forward', 'aria-label': 'One move forward', onclick: () => step(1) }, '›'),
        h('button', { type: 'button', title: 'Last', 'aria-label': 'Last position', onclick: () => go(Infinity) }, '»')),
      number),
    h('div', { class: 'card' },
      h('div', { class: 'row' },
        h('button', { type: 'button', class: 'primary', id: 'new-game', onclick: () => dialog.open(welcome, game) }, 'New game'),
        h('button', { type: 'button', onclick: () => ask('save-game') }, 'Save SGF'),
        h('button', { type: 'button', onclick: () => picker.click() }, 'Open SGF'),
        h('button', { type: 'button', onclick: toAnalysis }, 'Analyse'),
        picker),
      terms));
  const element = h('div', { class: 'view two' }, h('div', { class: 'table' }, board.element), panel, dialog.element);

  on('welcome', (message) => {
    welcome = message;
    isHintComing = false;
    draw();
  });
  on('game', (message) => {
    const before = game;
    game = message;
    sent = null;
    if (!before || before.moves.length !== message.moves.length || before.phase !== message.phase) {
      hint = null;
      isHintComing = false;
      shown = null;
      if (before && message.moves.length > before.moves.length) announce(message);
    }
    draw();
  });
  on('hint', (message) => {
    isHintComing = false;
    if (!game || message.ply !== game.moves.length) return;
    hint = message;
    say(`Hint: ${name(game.width, game.height, message.point)}`);
    if (message.point === PASS) toast('Hint: pass.');
    draw();
  });
  on('record', (file) => download(file.name, file.sgf));
  on('error', (fault) => {
    if (fault.ask === 'hint') isHintComing = false;
    if (fault.ask === 'move') sent = null;
    draw();
  });
  watchClock(() => game, () => ask('flag'), () => drawPlayers());

  /**
   * @param {string} label
   * @param {string} keyName
   * @param {() => void} action
   */
  function button(label, keyName, action) {
    return h('button', { type: 'button', onclick: action, title: keyName && `Key ${keyName}`, 'aria-keyshortcuts': keyName || undefined }, label);
  }

  /** @param {Game} current */
  function announce(current) {
    const [side, point] = current.moves[current.moves.length - 1];
    click();
    say(`${title(side)} ${point === PASS ? 'passes' : `plays ${name(current.width, current.height, point)}`}`);
  }

  function isMyTurn() {
    return game !== null && game.phase === 'playing' && game.to_play === game.color && sent === null;
  }

  /** @param {number} point */
  function press(point) {
    if (!game) return;
    if (game.phase === 'counting') {
      if (game.stones[point] !== '.') ask('toggle-dead', { point });
    } else if (shown !== null) go(Infinity);
    else if (isMyTurn() && game.stones[point] === '.') move(point);
  }

  /** @param {number} point */
  function move(point) {
    if (!game || !isMyTurn()) return;
    sent = point;
    hint = null;
    ask('move', { point, ply: game.moves.length });
    draw();
  }

  function askHint() {
    if (!isMyTurn() || isHintComing) return;
    isHintComing = true;
    ask('hint');
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

  function toAnalysis() {
    if (!game) return;
    shared.toAnalyse = { spot: spotOf(game), players: namesOf(game), result: game.result ?? '' };
    location.hash = 'analyse';
  }

  function draw() {
    if (!game) return;
    const { width, height, phase } = game;
    let { stones } = game;
    let last = game.moves.length ? game.moves[game.moves.length - 1][1] : null;
    if (shown !== null) {
      stones = game.start;
      for (const played of game.moves.slice(0, shown)) stones = after(stones, width, height, played).stones;
      last = shown ? game.moves[shown - 1][1] : null;
    } else if (sent !== null && sent >= 0) {
      stones = after(stones, width, height, [game.color, sent]).stones;
      last = sent;
    }
    const isCounted = shown === null && game.score !== null;
    /** @type {import('./board.js').Ghost[]} */
    const ghosts = [];
    /** @type {import('./board.js').Mark[]} */
    const marks = [];
    if (hint && shown === null) {
      marks.push({ point: hint.point, kind: 'star' });
      hint.line.slice(1, 4).forEach((point, idx) => {
        const color = idx % 2 ? game?.color : other(/** @type {Game} */ (game).color);
        if (stones[point] === '.') ghosts.push({ point, color, text: String(idx + 2), faint: true });
      });
    }
    board.show({
      width, height, stones, last, ghosts, marks,
      hover: shown === null && isMyTurn() ? game.color : null,
      dead: isCounted ? game.dead : [],
      owners: isCounted ? game.score?.owners : '',
    });
    board.svg.classList.toggle('playable', isMyTurn() || phase === 'counting');
    drawPlayers();
    drawStatus();
    const n = game.moves.length;
    slider.max = String(n);
    slider.value = String(shown ?? n);
    number.textContent = `Move ${shown ?? n} of ${n}`;
    passButton.disabled = !isMyTurn();
    hintButton.disabled = !isMyTurn() || isHintComing;
    undoButton.disabled = !game.moves.some(([side]) => side === game?.color);
    resignButton.disabled = phase !== 'playing';
    terms.textContent = `${width}×${height} · ${ruleName(game.rules)} rules · komi ${game.komi}`
      + (game.handicap ? ` · ${game.handicap} handicap stones` : '');
  }

  function drawPlayers() {
    if (!game) return;
    const current = game;
    const level = (current.net ? welcome?.net_levels : welcome?.levels)?.[current.level - 1];
    const strength = current.net ? `${current.net}, ${level?.name ?? ''}` : `level ${current.level}${level ? `, ${level.name}` : ''}`;
    fill(players, (/** @type {Side[]} */ (['black', 'white'])).map((side) => {
      const isYou = side === current.color;
      const isActive = current.phase === 'playing' && current.to_play === side;
      const taken = current.captured[side === 'black' ? 1 : 0];
      return h('div', { class: isActive ? 'player active' : 'player' },
        h('span', { class: `chip ${side}`, role: 'img', 'aria-label': title(side) }),
        h('span', { class: 'who' }, h('b', {}, isYou ? 'You' : 'Tengen'),
          h('span', { class: 'quiet small' }, isYou ? title(side) : `${title(side)} · ${strength}`)),
        h('span', { class: 'num small taken', title: 'Stones captured' }, `${count(taken)} captured`),
        current.clock ? h('span', { class: 'num clock' }, clockText(current.clock, side)) : null);
    }));
  }

  function drawStatus() {
    if (!game) return;
    let text = '';
    if (game.phase === 'over') text = '';
    else if (game.phase === 'counting') text = game.thinking ? 'Looking which stones are dead…' : 'Both have passed. Click stones to mark them dead or alive.';
    else if (isHintComing) text = 'Looking for a good move…';
    else if (hint) text = hintText(hint);
    else if (isMyTurn()) text = game.moves.at(-1)?.[1] === PASS && game.moves.length ? 'Tengen passes. Your move.' : 'Your move.';
    else text = game.trouble ? `Tengen cannot move: ${game.trouble}.` : 'Tengen is thinking…';
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle('busy', game.thinking || isHintComing);
    status.hidden = text === '';
    const counted = game.phase === 'counting';
    fill(count_,
      game.result ? h('p', { class: 'result' }, resultText(game)) : null,
      game.score ? scoreTable(game.score, game.rules) : null,
      counted ? h('div', { class: 'row' },
        h('button', { type: 'button', class: 'primary', id: 'accept', disabled: game.thinking, onclick: () => ask('accept') }, 'Accept the score'),
        h('button', { type: 'button', onclick: () => ask('resume') }, 'Play on')) : null);
  }

  /** @param {Hint} found */
  function hintText(found) {
    const where = game ? name(game.width, game.height, found.point) : '';
    return `Hint: ${where}${found.win === null ? '' : ` – expected to win ${percent(found.win, 0)}`}`;
  }

  draw();
  return {
    element,
    key: (event) => {
      switch (event.key) {
        case 'ArrowLeft': step(-1); return true;
        case 'ArrowRight': step(1); return true;
        case 'Home': go(0); return true;
        case 'End': go(Infinity); return true;
        case 'u': case 'U': ask('undo'); return true;
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
  /** @type {import('./types.js').Step[]} */
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
  return game.color === 'black' ? ['You', 'Tengen'] : ['Tengen', 'You'];
}

/** @param {Game} game */
function resultText(game) {
  const result = game.result ?? '';
  const [winner, how] = [result[0] === 'B' ? 'black' : result[0] === 'W' ? 'white' : null, result.slice(2)];
  if (!winner) return 'A draw.';
  const who = winner === game.color ? 'You win' : 'Tengen wins';
  if (how === 'R') return `${who} by resignation (${result}).`;
  if (how === 'T') return `${who} on time (${result}).`;
  return `${who} by ${how} ${how === '1' ? 'point' : 'points'} (${result}).`;
}
