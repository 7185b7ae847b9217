// Runs of self-play in the laboratory: which there are, their curves as they grow, and their latest games.

import { count, fill, h, numberAt, percent, renew, s } from './dom.js';
import { t } from './lang.js';
import { ask, on } from './link.js';

/** @import { Run, RunGame, RunMessage } from './types.js' */

/**
 * @param {(detail: Element) => void} open Called with what is to be shown when a run is chosen.
 */
export function runs(open) {
  /** @type {string | null} */
  let chosen = null;
  /** @type {RunGame | null} */
  let game = null;
  let ply = 0;
  /** The newest network that the curves show; −1: none. */
  let shownNet = -1;

  const list = h('div', { class: 'experiments', onclick: (/** @type {Event} */ event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button) choose(button.dataset.name ?? '');
  } });
  const title = h('div', { class: 'count' });
  const curves = h('div', {});
  const gameList = h('div', { class: 'scroll', onclick: chooseGame, onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter') chooseGame(event); } });
  const picture = h('div', { class: 'text-board' });
  const about = h('p', { class: 'num small quiet' });
  const heading = h('h3', {});
  const replay = h('section', { class: 'card', 'aria-label': t('lab.replay'), hidden: true },
    h('div', { class: 'replay' }, picture, h('div', { class: 'panel' }, heading, about,
      h('div', { class: 'row' }, button('«', t('common.first'), () => go(0)), button('‹', t('common.back'), () => go(ply - 1)), button('›', t('common.forward'), () => go(ply + 1)), button('»', t('common.last'), () => go(Infinity))))));
  const detail = h('div', { class: 'panel run' }, h('section', { class: 'card', 'aria-label': t('runs.run') }, title),
    curves, h('section', { class: 'card', 'aria-label': t('runs.games') }, gameList), replay);
  const section = h('section', { 'aria-label': t('runs.title'), hidden: true }, h('h3', {}, t('runs.title')), list);

  on('runs', (message) => {
    section.hidden = message.runs.length === 0;
    renew(list, message.runs.map(card));
  });
  on('run', (message) => {
    if (message.run.name === chosen) draw(message);
  });
  on('run-game', (message) => {
    if (message.run !== chosen) return;
    game = message;
    replay.hidden = false;
    go(0);
    replay.scrollIntoView({ block: 'nearest' });
  });

  /**
   * @param {string} label
   * @param {string} says
   * @param {() => void} action
   */
  function button(label, says, action) {
    return h('button', { type: 'button', title: says, 'aria-label': says, onclick: action }, label);
  }

  /** @param {Run} run */
  function card(run) {
    return h('button', { type: 'button', 'aria-pressed': run.name === chosen, 'data-name': run.name },
      h('span', {}, h('b', {}, run.name), ' ', run.working ? h('span', { class: 'badge' }, t('runs.working')) : null),
      run.title ? h('span', { class: 'small' }, run.title) : null,
      h('span', { class: run.error ? 'small bad' : 'small quiet num' }, run.error ?? t('runs.sums', { n: run.games, net: run.newest })));
  }

  /** @param {string} name */
  function choose(name) {
    chosen = name;
    shownNet = -1;
    replay.hidden = true;
    fill(title, h('h2', {}, name), h('p', { class: 'quiet' }, t('lab.reading')));
    fill(curves);
    fill(gameList);
    open(detail);
    refresh();
  }

  /** @param {RunMessage} message */
  function draw({ run, games }) {
    renew(title,
      h('div', { class: 'row spread' }, h('h2', {}, run.title || run.name),
        h('div', { class: 'row' }, run.working ? h('span', { class: 'badge' }, t('runs.working')) : null,
          h('a', { class: 'button', href: address(), target: '_blank', rel: 'noopener' }, t('lab.report-tab')))),
      h('p', { class: 'quiet small num' }, `${run.game} · ${run.net} · ${t('runs.sums', { n: run.games, net: run.newest })} · ${t('runs.hours', { hours: (run.cpu_hours ?? 0).toFixed(1) })} · Elo ${Math.round(run.elo ?? 0)}`));
    if (run.newest !== shownNet) {
      // A new network: its curves have a point more.
      shownNet = run.newest;
      fill(curves, h('iframe', { class: 'report', src: address(), title: t('lab.report-of', { name: run.name }) }));
    }
    renew(gameList, h('h3', {}, t('runs.games')), h('div', { class: 'moves-box' }, h('table', { class: 'small moves' },
      h('thead', {}, h('tr', {}, [t('lab.game'), t('runs.net'), t('lab.result'), t('lab.moves')].map((text, idx) => h('th', { class: idx === 2 ? '' : 'n' }, text)))),
      h('tbody', {}, games.map((line) => h('tr', { tabindex: 0, 'data-game': line.game },
        h('td', { class: 'n' }, count(line.game)), h('td', { class: 'n' }, line.net), h('td', {}, line.result), h('td', { class: 'n' }, line.moves)))))));
  }

  function address() {
    return `runs/report?name=${encodeURIComponent(chosen ?? '')}`;
  }

  /** @param {Event} event */
  function chooseGame(event) {
    const number = numberAt(event, 'game');
    if (number !== null) ask('run-game', { run: chosen ?? '', game: number });
  }

  /** @param {number} to */
  function go(to) {
    if (!game) return;
    const last = game.frames.length - 1;
    ply = Math.max(0, Math.min(last, to));
    const frame = game.frames[ply];
    fill(picture, drawing(frame.board));
    fill(heading, `${t('lab.game')} ${count(game.game)}: ${game.result}`);
    const expected = frame.black_win === null ? null : t('runs.expected', { share: percent(frame.black_win) });
    const wanted = frame.candidates.map(([move, share]) => `${move} ${percent(share ?? 0)}`).join(', ');
    fill(about, [`${t('play.move', { at: ply, of: last })}${frame.last === null ? '' : `, ${frame.last}`}`, expected, wanted || null].filter(Boolean).join(' · '));
  }

  function refresh() {
    if (chosen) ask('run', { run: chosen });
  }

  return {
    section,
    /** Asks anew which runs there are, and how the chosen one stands. */
    look: () => {
      ask('runs');
      refresh();
    },
    /** Another thing was chosen. */
    forget: () => {
      chosen = null;
      game = null;
      for (const card of list.children) card.setAttribute('aria-pressed', 'false');
    },
    /** Whether a game is shown that keys lead through. */
    isShown: () => chosen !== null && game !== null && !replay.hidden,
    step: (/** @type {number} */ by) => go(ply + by),
    go,
  };
}

/**
 * A board of text as a picture: `X` and `O` are stones, `.` is an empty place, two letters are one place apart.
 * @param {string} text
 */
export function drawing(text) {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const width = Math.max(0, ...lines.map((line) => line.length)) / 2;
  const shape = (/** @type {string} */ letter, /** @type {{ cx: number, cy: number }} */ at) => {
    if (letter === 'X' || letter === 'O') return s('circle', { ...at, r: 0.44, class: letter === 'X' ? 'black' : 'white' });
    if (letter === '.') return s('circle', { ...at, r: 0.1, class: 'dot' });
    return letter.trim() === '' ? null : s('text', { x: at.cx, y: at.cy, dy: 0.18 }, letter);
  };
  const shapes = lines.flatMap((line, row) => [...line].map((letter, place) => shape(letter, { cx: place / 2, cy: row })));
  return s('svg', { viewBox: `-.8 -.8 ${width + 1.1} ${lines.length + 0.6}`, role: 'img', 'aria-label': text }, shapes);
}
