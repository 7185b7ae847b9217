// My games: all that are kept, to be opened, named and deleted.

import { confirmed, lineOf } from './dialogs.js';
import { h, numberAt, renew } from './dom.js';
import { language, t } from './lang.js';
import { ask, on } from './link.js';
import { miniBoard } from './mini.js';

/** @import { GameCard, MyGames } from './types.js' */

/** Letters of a game's name, as the server has it. */
const MAX_NAME = 60;

/** The dialog with the visitor's games. */
export function gamesDialog() {
  /** @type {MyGames | null} */
  let known = null;
  /** @type {number | null} */
  let current = null;
  const about = h('p', { class: 'quiet small num' });
  const list = h('ul', { class: 'game-list', onclick: press });
  const element = h('dialog', { class: 'my-games', 'aria-labelledby': 'my-games-title' },
    h('div', { class: 'row spread' }, h('h2', { id: 'my-games-title' }, t('games.title')),
      h('button', { type: 'button', id: 'close-games', onclick: () => element.close() }, t('common.close'))),
    about, list);

  on('my-games', (message) => {
    known = message;
    draw();
  });
  on('game', (game) => {
    const isOther = game.id !== current;
    current = game.id;
    if (isOther && element.open) ask('my-games');
  });

  function draw() {
    if (!known) return;
    const { games, max } = known;
    about.textContent = games.length ? t('games.kept', { n: games.length, max }) : t('games.none');
    // Whatever has the focus keeps it.
    renew(list, games.map(row));
  }

  /** @param {GameCard} card */
  function row(card) {
    const name = nameOf(card);
    const isCurrent = card.id === current;
    const state = card.result ?? t(card.phase === 'counting' ? 'games.counting' : 'games.playing');
    const changed = new Date(1000 * card.changed);
    return h('li', { class: `game-card ${card.phase}${isCurrent ? ' current' : ''}`, 'data-game': card.id },
      h('button', { type: 'button', class: 'picture', 'aria-label': t('games.board', { name }), 'data-do': 'open' },
        miniBoard(card.size, card.size, card.stones, t('games.board', { name }))),
      h('div', { class: 'facts' },
        h('b', { class: 'game-name' }, name),
        h('span', { class: 'small num' }, `${state} · ${t('games.moves', { n: card.moves })}`),
        card.players ? null : h('span', { class: 'small quiet' }, t(card.color === 'black' ? 'games.you-black' : 'games.you-white')),
        h('time', { class: 'small quiet num', dateTime: changed.toISOString() },
          new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(changed)),
        h('div', { class: 'row' },
          isCurrent ? h('span', { class: 'badge' }, t('games.current'))
            : h('button', { type: 'button', class: 'open-game', 'data-do': 'open' }, t(card.phase === 'over' ? 'games.study' : 'games.open')),
          h('button', { type: 'button', class: 'link', 'data-do': 'rename' }, t('games.rename')),
          h('button', { type: 'button', class: 'link', 'data-do': 'delete' }, t('games.delete')))));
  }

  /** @param {Event} event */
  function press(event) {
    const button = event.target instanceof Element ? event.target.closest('[data-do]') : null;
    const card = known?.games.find(({ id }) => id === numberAt(event, 'game'));
    if (!button || !card) return;
    const action = button.getAttribute('data-do');
    if (action === 'open') open(card);
    else if (action === 'rename') rename(card);
    else remove(card);
  }

  /** @param {GameCard} card */
  function open(card) {
    element.close();
    if (card.id !== current) ask('open-game', { id: card.id });
  }

  /** @param {GameCard} card */
  async function rename(card) {
    const name = await lineOf(t('games.rename-ask'), card.name ?? '', MAX_NAME);
    if (name !== null) ask('name-game', { id: card.id, name });
  }

  /** @param {GameCard} card */
  async function remove(card) {
    if (await confirmed(t('games.delete-ask', { name: nameOf(card) }), t('games.delete'))) ask('delete-game', { id: card.id });
  }

  return {
    element,
    open() {
      ask('my-games');
      draw();
      element.showModal();
    },
  };
}

/**
 * What a game is called: its name, or who plays it.
 * @param {GameCard} card
 */
function nameOf(card) {
  if (card.name) return card.name;
  if (card.players) return card.players.join(' – ');
  const who = card.net ?? t('games.level', { n: card.level });
  return t('games.name', { size: `${card.size}×${card.size}`, who });
}
