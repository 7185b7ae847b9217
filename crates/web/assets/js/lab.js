// The laboratory: experiments on this machine, how they stand, their reports and games.

import { Board } from './board.js';
import { count, fill, h, numberAt, percent, renew, s } from './dom.js';
import { GameTree } from './gametree.js';
import { t } from './lang.js';
import { ask, on } from './link.js';
import { name, title as colorName } from './rules.js';
import { runs } from './runs.js';
import { shared } from './shared.js';

/** @import { Experiment, Games, StandingRow, Standings, Tree, View } from './types.js' */

/** How often a running experiment is looked at, in milliseconds. */
const EVERY = 4000;
/** Games of a page, as the server sends them. */
const PAGE = 100;

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
  /** Whether an experiment or a run was chosen already. */
  let isChosen = false;
  /** @type {number | undefined} */
  let timer;

  const list = h('div', { class: 'experiments', onclick: (/** @type {Event} */ event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button) choose(button.dataset.name ?? '');
  } }, h('p', { class: 'quiet' }, t('lab.looking')));
  const title = h('div', { class: 'count' });
  const table = h('div', { class: 'scroll', onclick: (/** @type {Event} */ event) => {
    const pairing = numberAt(event, 'pairing');
    if (pairing !== null) askGames(pairing);
  } });
  const gameList = h('div', { class: 'scroll', onclick: chooseGame, onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter') chooseGame(event); } });
  const gamesCard = h('section', { class: 'card', 'aria-label': t('lab.games'), hidden: true }, gameList);
  const board = new Board();
  const moveNumber = h('p', { class: 'num small quiet' });
  const replay = h('section', { class: 'card', 'aria-label': t('lab.replay'), hidden: true },
    h('div', { class: 'replay' }, board.element, h('div', { class: 'panel' }, h('h3', { id: 'replay-title' }), moveNumber,
      h('div', { class: 'row' }, button('«', t('common.first'), () => go(0)), button('‹', t('common.back'), () => step(-1)), button('›', t('common.forward'), () => step(1)), button('»', t('common.last'), () => go(Infinity))),
      h('div', { class: 'row' }, h('button', { type: 'button', onclick: toAnalysis }, t('common.analyse'))))));
  const report = h('div', {});
  const detail = h('div', { class: 'panel' }, h('p', { class: 'quiet' }, t('lab.choose')));
  const selfPlay = runs((shown) => {
    chosen = null;
    isChosen = true;
    standings = null;
    games = null;
    for (const card of list.children) card.setAttribute('aria-pressed', 'false');
    fill(detail, shown);
  });
  const element = h('div', { class: 'view lab' },
    h('div', { class: 'panel' }, h('section', { 'aria-label': t('lab.experiments') }, list), selfPlay.section), detail);

  on('experiments', (message) => {
    renew(list, message.experiments.map(card), message.experiments.length ? null
      : h('p', { class: 'quiet' }, t('lab.none', { folder: message.folder, command: 'tengen lab run FILE.toml' })));
    const first = message.experiments.find(({ error }) => !error);
    if (!isChosen && first) choose(first.name);
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
      h('span', {}, h('b', {}, id), ' ', playing ? h('span', { class: 'badge' }, t('lab.playing')) : null),
      about ? h('span', { class: 'small' }, about) : null,
      h('span', { class: error ? 'small bad' : 'small quiet num' }, error ?? t(left ? 'lab.left' : 'lab.complete', { n: played, left })));
  }

  /** @param {string} id */
  function choose(id) {
    chosen = id;
    isChosen = true;
    selfPlay.forget();
    standings = null;
    games = null;
    replay.hidden = true;
    gamesCard.hidden = true;
    fill(report);
    fill(gameList);
    fill(title, h('h2', {}, id));
    fill(table, h('p', { class: 'quiet' }, t('lab.reading')));
    fill(detail, h('section', { class: 'card', 'aria-label': t('lab.standings') }, title, table), gamesCard, replay, report);
    ask('standings', { experiment: id });
    ask('experiments');
  }

  function drawStandings() {
    if (!standings) return;
    const { experiment, rows } = standings;
    renew(title,
      h('div', { class: 'row spread' }, h('h2', {}, experiment.title || experiment.name),
        h('div', { class: 'row' }, experiment.playing ? h('span', { class: 'badge' }, t('lab.playing')) : null,
          h('button', { type: 'button', onclick: toggleReport }, t('lab.report')),
          h('a', { class: 'button', href: address(), target: '_blank', rel: 'noopener' }, t('lab.report-tab')))),
      h('p', { class: 'quiet small num' }, `${experiment.name} · ${t(experiment.left ? 'lab.played-left' : 'lab.played', { n: experiment.games, left: experiment.left })}`));
    const groups = [...new Set(rows.map(({ group }) => group))];
    renew(table, groups.map((group) => h('div', {}, groups.length > 1 ? h('h3', {}, group) : null,
      h('table', { class: 'small' }, h('thead', {}, h('tr', {}, ['A', 'B', t('lab.games'), t('lab.wins'), t('lab.share'), '95 %', 'Elo', t('lab.state'), ''].map((text, idx) => h('th', { class: [2, 3, 4, 6].includes(idx) ? 'n' : '' }, text)))),
        h('tbody', {}, rows.filter((row) => row.group === group).map(standingRow))))));
  }

  function address() {
    return `lab/report?name=${encodeURIComponent(chosen ?? '')}`;
  }

  function toggleReport() {
    if (report.childElementCount) fill(report);
    else {
      fill(report, h('iframe', { class: 'report', src: address(), title: t('lab.report-of', { name: chosen ?? '' }) }));
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
      h('td', {}, row.games ? h('button', { type: 'button', class: 'link', 'data-pairing': row.pairing }, t('lab.show-games')) : ''));
  }

  /** A share with its interval on a line from 0 to 1. @param {[number, number, number]} rate */
  function interval([at, low, high]) {
    const x = (/** @type {number} */ share) => 4 + 136 * share;
    return s('svg', { class: 'interval', viewBox: '0 0 144 18', role: 'img', 'aria-label': t('lab.range', { low: percent(low), high: percent(high) }) },
      s('path', { class: 'mid', d: `M${x(0)} 9H${x(1)}M${x(0.5)} 2V16` }), s('path', { class: 'range', d: `M${x(low)} 9H${x(high)}` }), s('circle', { class: 'at', cx: x(at), cy: 9, r: 4.5 }));
  }

  function drawGames() {
    if (!games) return;
    gamesCard.hidden = false;
    const { of, skip } = games;
    // Drawn anew while an experiment is played; what has the focus keeps it.
    renew(gameList, h('div', { class: 'row spread' }, h('h3', {}, t('lab.games')),
      h('div', { class: 'row small' }, skip ? h('button', { type: 'button', 'data-skip': Math.max(0, skip - PAGE) }, t('lab.earlier')) : null,
        h('span', { class: 'quiet num' }, t('lab.page', { from: skip + 1, to: Math.min(of, skip + PAGE), of })),
        skip + PAGE < of ? h('button', { type: 'button', 'data-skip': skip + PAGE }, t('lab.later')) : null)),
      h('div', { class: 'moves-box' }, h('table', { class: 'small moves' },
        h('thead', {}, h('tr', {}, [t('lab.game'), colorName('black'), colorName('white'), t('lab.result'), t('lab.moves')].map((text, idx) => h('th', { class: idx % 4 ? '' : 'n' }, text)))),
        h('tbody', {}, games.games.map((line) => h('tr', { tabindex: 0, 'data-game': line.game },
          h('td', { class: 'n' }, line.game), h('td', {}, line.black), h('td', {}, line.white), h('td', {}, line.result), h('td', { class: 'n' }, line.moves)))))));
  }

  /** Another page of games, or one of them. @param {Event} event */
  function chooseGame(event) {
    if (!games) return;
    const [skip, game] = [numberAt(event, 'skip'), numberAt(event, 'game')];
    if (skip !== null && event.type === 'click') askGames(games.pairing, skip);
    else if (game !== null) ask('replay', { experiment: chosen ?? '', pairing: games.pairing, game });
  }

  /**
   * @param {number} pairing
   * @param {number} [skip]
   */
  function askGames(pairing, skip = 0) {
    ask('games', { experiment: chosen ?? '', pairing, skip });
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
    fill(moveNumber, `${t('play.move', { at: depth, of: line.length - 1 })}${last === null ? '' : `, ${name(width, height, last)}`} · ${t('lab.captured', { black: captured[1], white: captured[0] })}`,
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
      selfPlay.look();
      timer = setInterval(() => {
        if (document.hidden) return;
        if (chosen && standings?.experiment.playing) {
          ask('standings', { experiment: chosen });
          if (games) askGames(games.pairing, games.skip);
        }
        ask('experiments');
        selfPlay.look();
      }, EVERY);
    },
    leave: () => {
      isHere = false;
      clearInterval(timer);
    },
    key: (event) => {
      const [by, to] = selfPlay.isShown() ? [selfPlay.step, selfPlay.go] : [step, go];
      if (event.key === 'ArrowLeft') by(-1);
      else if (event.key === 'ArrowRight') by(1);
      else if (event.key === 'Home') to(0);
      else if (event.key === 'End') to(Infinity);
      else return false;
      return true;
    },
  };
}
