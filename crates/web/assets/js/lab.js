// The laboratory: experiments on this machine, how they stand, their reports and games.

import { Board } from './board.js';
import { count, fill, h, numberAt, percent, renew, s } from './dom.js';
import { GameTree } from './gametree.js';
import { ask, on } from './link.js';
import { name } from './rules.js';
import { shared } from './shared.js';

/** @import { Experiment, Games, StandingRow, Standings, Tree, View } from './types.js' */

/** How often a running experiment is looked at, in milliseconds. */
const EVERY = 4000;

/** @returns {View} */
export function lab() {
  /** @type {string | null} */
  let chosen = null;
  /** @type {Standings | null} */
  let standings = null;
  /** @type {Games | null} */
  let games = null;
  /** @type {GameTree | null} */
  let tree = null;
  /** @type {Tree | null} */
  let record = null;
  let isHere = false;
  /** @type {number | undefined} */
  let timer;

  const list = h('div', { class: 'experiments', onclick: (/** @type {Event} */ event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button) choose(button.dataset.name ?? '');
  } }, h('p', { class: 'quiet' }, 'Looking for experiments…'));
  const title = h('div', { class: 'count' });
  const table = h('div', { class: 'scroll', onclick: (/** @type {Event} */ event) => {
    const pairing = numberAt(event, 'pairing');
    if (pairing !== null) ask('games', { experiment: chosen, pairing });
  } });
  const gameList = h('div', { class: 'scroll' });
  const gamesCard = h('section', { class: 'card', 'aria-label': 'Games', hidden: true }, gameList);
  const board = new Board();
  const moveNumber = h('p', { class: 'num small quiet' });
  const replay = h('section', { class: 'card', 'aria-label': 'Replay', hidden: true },
    h('div', { class: 'replay' }, board.element, h('div', { class: 'panel' }, h('h3', { id: 'replay-title' }), moveNumber,
      h('div', { class: 'row' }, button('«', 'First position', () => go(0)), button('‹', 'One move back', () => step(-1)), button('›', 'One move forward', () => step(1)), button('»', 'Last position', () => go(Infinity))),
      h('div', { class: 'row' }, h('button', { type: 'button', onclick: toAnalysis }, 'Analyse')))));
  const report = h('div', {});
  const detail = h('div', { class: 'panel' }, h('p', { class: 'quiet' }, 'Choose an experiment.'));
  const element = h('div', { class: 'view lab' }, h('section', { 'aria-label': 'Experiments' }, list), detail);

  on('experiments', (message) => {
    renew(list, message.experiments.map(card), message.experiments.length ? null
      : h('p', { class: 'quiet' }, `There are no experiments in ${message.folder}. Start one with `, h('code', {}, 'tengen lab run FILE.toml'), '.'));
    const first = message.experiments.find(({ error }) => !error);
    if (!chosen && first) choose(first.name);
  });
  on('standings', (message) => {
    if (message.experiment.name !== chosen) return;
    standings = message;
    drawStandings();
  });
  on('games', (message) => {
    if (message.experiment !== chosen) return;
    games = message;
    drawGames();
  });
  on('tree', (message) => {
    if (!isHere) return;
    record = message;
    tree = GameTree.of(message);
    tree.current = tree.root;
    go(0);
    replay.hidden = false;
    replay.scrollIntoView({ block: 'nearest' });
  });

  /**
   * @param {string} label
   * @param {string} about
   * @param {() => void} action
   */
  function button(label, about, action) {
    return h('button', { type: 'button', title: about, 'aria-label': about, onclick: action }, label);
  }

  /** @param {Experiment} experiment */
  function card(experiment) {
    const { name: id, title: about, games: played, left, playing, error } = experiment;
    return h('button', { type: 'button', 'aria-pressed': id === chosen, 'data-name': id },
      h('span', {}, h('b', {}, id), ' ', playing ? h('span', { class: 'badge' }, 'playing') : null),
      about ? h('span', { class: 'small' }, about) : null,
      h('span', { class: error ? 'small bad' : 'small quiet num' }, error ?? `${count(played)} games${left ? `, ${count(left)} left` : ', complete'}`));
  }

  /** @param {string} id */
  function choose(id) {
    chosen = id;
    standings = null;
    games = null;
    replay.hidden = true;
    gamesCard.hidden = true;
    fill(report);
    fill(gameList);
    fill(title, h('h2', {}, id));
    fill(table, h('p', { class: 'quiet' }, 'Reading…'));
    fill(detail, h('section', { class: 'card', 'aria-label': 'Standings' }, title, table), gamesCard, replay, report);
    ask('standings', { experiment: id });
    ask('experiments');
  }

  function drawStandings() {
    if (!standings) return;
    const { experiment, rows } = standings;
    renew(title,
      h('div', { class: 'row spread' }, h('h2', {}, experiment.title || experiment.name),
        h('div', { class: 'row' }, experiment.playing ? h('span', { class: 'badge' }, 'playing') : null,
          h('button', { type: 'button', onclick: toggleReport }, 'Report'),
          h('a', { class: 'button', href: address(), target: '_blank', rel: 'noopener' }, 'Report in a tab'))),
      h('p', { class: 'quiet small num' }, `${experiment.name} · ${count(experiment.games)} games played${experiment.left ? `, at most ${count(experiment.left)} left` : ''}`));
    const groups = [...new Set(rows.map(({ group }) => group))];
    renew(table, groups.map((group) => h('div', {}, groups.length > 1 ? h('h3', {}, group) : null,
      h('table', { class: 'small' }, h('thead', {}, h('tr', {}, ['A', 'B', 'Games', 'A wins', 'A’s share', '95 %', 'Elo', 'State', ''].map((text, idx) => h('th', { class: [2, 3, 4, 6].includes(idx) ? 'n' : '' }, text)))),
        h('tbody', {}, rows.filter((row) => row.group === group).map(standingRow))))));
  }

  function address() {
    return `lab/report?name=${encodeURIComponent(chosen ?? '')}`;
  }

  function toggleReport() {
    if (report.childElementCount) fill(report);
    else {
      fill(report, h('iframe', { class: 'report', src: address(), title: `Report of ${chosen}` }));
      report.scrollIntoView({ block: 'nearest' });
    }
  }

  /** @param {StandingRow} row */
  function standingRow(row) {
    const { names, rate, text } = row;
    return h('tr', {}, h('td', {}, names[0]), h('td', {}, names[1]), h('td', { class: 'n' }, count(row.games)),
      h('td', { class: 'n' }, text.score),
      h('td', { class: 'n', title: text.rate_interval }, text.rate), h('td', {}, rate ? interval(rate) : ''),
      h('td', { class: 'n', title: `95 %; LOS ${text.los}` }, text.elo === text.elo_interval ? text.elo : `${text.elo} ${text.elo_interval}`), h('td', {}, row.state),
      h('td', {}, row.games ? h('button', { type: 'button', class: 'link', 'data-pairing': row.pairing }, 'games') : ''));
  }

  /** A share with its interval on a line from 0 to 1. @param {[number, number, number]} rate */
  function interval([at, low, high]) {
    const x = (/** @type {number} */ share) => 4 + 136 * share;
    return s('svg', { class: 'interval', viewBox: '0 0 144 18', role: 'img', 'aria-label': `${percent(low)} to ${percent(high)}` },
      s('path', { class: 'mid', d: `M${x(0)} 9H${x(1)}M${x(0.5)} 2V16` }), s('path', { class: 'range', d: `M${x(low)} 9H${x(high)}` }), s('circle', { class: 'at', cx: x(at), cy: 9, r: 4.5 }));
  }

  function drawGames() {
    if (!games) return;
    gamesCard.hidden = false;
    const { of, skip, pairing } = games;
    const page = (/** @type {number} */ to) => ask('games', { experiment: chosen, pairing, skip: to });
    fill(gameList, h('div', { class: 'row spread' }, h('h3', {}, 'Games'),
      h('div', { class: 'row small' }, skip ? h('button', { type: 'button', onclick: () => page(Math.max(0, skip - 100)) }, 'Earlier') : null,
        h('span', { class: 'quiet num' }, `${skip + 1}–${Math.min(of, skip + 100)} of ${count(of)}`),
        skip + 100 < of ? h('button', { type: 'button', onclick: () => page(skip + 100) }, 'Later') : null)),
      h('div', { class: 'moves-box' }, h('table', { class: 'small moves' },
        h('thead', {}, h('tr', {}, ['Game', 'Black', 'White', 'Result', 'Moves'].map((text, idx) => h('th', { class: idx % 4 ? '' : 'n' }, text)))),
        h('tbody', {}, games.games.map((line) => h('tr', { tabindex: 0, onclick: () => show(line.game), onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter') show(line.game); } },
          h('td', { class: 'n' }, line.game), h('td', {}, line.black), h('td', {}, line.white), h('td', {}, line.result), h('td', { class: 'n' }, line.moves)))))));
  }

  /** @param {number} game */
  function show(game) {
    if (games) ask('replay', { experiment: chosen, pairing: games.pairing, game });
  }

  /** @param {number} ply */
  function go(ply) {
    if (!tree) return;
    const line = tree.line();
    tree.current = line[Math.max(0, Math.min(line.length - 1, ply))];
    const { stones, last, depth, captured, comment } = tree.current;
    const { width, height } = tree.base;
    board.show({ width, height, stones, last });
    const [black, white] = tree.players;
    fill(/** @type {HTMLElement} */ (replay.querySelector('h3')), `${black} – ${white}: ${tree.result}`);
    fill(moveNumber, `Move ${depth} of ${line.length - 1}${last === null ? '' : `, ${name(width, height, last)}`} · captured: ${captured[1]} by Black, ${captured[0]} by White`,
      comment ? h('span', { class: 'comment' }, `\n${comment}`) : null);
  }

  /** @param {number} by */
  function step(by) {
    if (tree) go(tree.line().indexOf(tree.current) + by);
  }

  function toAnalysis() {
    if (!record) return;
    shared.toAnalyse = { tree: record, players: record.players, result: record.result };
    location.hash = 'analyse';
  }

  return {
    element,
    enter: () => {
      isHere = true;
      ask('experiments');
      timer = setInterval(() => {
        if (document.hidden) return;
        if (chosen && standings?.experiment.playing) ask('standings', { experiment: chosen });
        ask('experiments');
      }, EVERY);
    },
    leave: () => {
      isHere = false;
      clearInterval(timer);
    },
    key: (event) => {
      if (event.key === 'ArrowLeft') step(-1);
      else if (event.key === 'ArrowRight') step(1);
      else if (event.key === 'Home') go(0);
      else if (event.key === 'End') go(Infinity);
      else return false;
      return true;
    },
  };
}
