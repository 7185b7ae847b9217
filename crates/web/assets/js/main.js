// The page: which view is shown, the theme, the keys, and what goes wrong.

import { byId, recall, remember, toast } from './dom.js';
import { connect, on, onConnection } from './link.js';
import { analyse } from './analyse.js';
import { inside } from './inside.js';
import { lab } from './lab.js';
import { play } from './play.js';
import { setSound } from './sound.js';

/** @import { View } from './types.js' */

/** @type {Record<string, () => View>} */
const makers = { play, analyse, inside, lab };
/** @type {Map<string, View>} */
const views = new Map();
/** @type {View | null} */
let current = null;
/** The timer of a view that is to be entered; 0: none. */
let entering = 0;

/** Shows the view that the address names. */
function route() {
  const wanted = location.hash.slice(1);
  const name = wanted in makers ? wanted : 'play';
  const isNew = !views.has(name);
  const view = views.get(name) ?? makers[name]();
  views.set(name, view);
  if (view === current) return;
  leave();
  current = view;
  byId('main').replaceChildren(view.element);
  for (const tab of Object.keys(makers)) {
    const link = byId(`tab-${tab}`);
    if (tab === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = name === 'play' ? 'Tengen' : `Tengen – ${byId(`tab-${name}`).textContent?.trim()}`;
  // To make a view and to fill it at one stretch would keep the page from answering for too long.
  if (isNew) entering = setTimeout(enter);
  else enter();
}

function enter() {
  entering = 0;
  current?.enter?.();
}

function leave() {
  if (entering === 0) current?.leave?.();
  else clearTimeout(entering);
  entering = 0;
}

/** Light, dark, or as the system wants it. */
function themes() {
  const themes = ['auto', 'light', 'dark'];
  let theme = recall('theme', 'auto');
  const apply = () => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    byId('theme').title = `Theme: ${theme}`;
    byId('theme').setAttribute('aria-label', `Theme: ${theme}`);
  };
  byId('theme').addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    remember('theme', theme);
    apply();
  });
  apply();
}

function sounds() {
  let isOn = recall('sound', false);
  const apply = () => {
    setSound(isOn);
    byId('sound').setAttribute('aria-pressed', String(isOn));
    byId('sound').setAttribute('aria-label', isOn ? 'Sounds are on' : 'Sounds are off');
  };
  byId('sound').addEventListener('click', () => {
    isOn = !isOn;
    remember('sound', isOn);
    apply();
  });
  apply();
}

/** @param {KeyboardEvent} event */
function key(event) {
  const { target } = event;
  if (!(target instanceof Element)) return;
  const isTyping = target.closest('input:not([type=checkbox]):not([type=radio]), select, textarea, dialog');
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === ' ' && target.closest('button, a')) return;
  if (event.key === '?') /** @type {HTMLDialogElement} */ (byId('keys')).showModal();
  else if (!current?.key?.(event)) return;
  event.preventDefault();
}

function start() {
  themes();
  sounds();
  byId('help').setAttribute('aria-label', 'Keys');
  byId('help').addEventListener('click', () => /** @type {HTMLDialogElement} */ (byId('keys')).showModal());
  addEventListener('hashchange', route);
  addEventListener('keydown', key);
  on('error', (fault) => toast(fault.message));
  let wasLost = false;
  onConnection((isOnline) => {
    byId('offline').hidden = isOnline;
    if (isOnline && wasLost) toast('Connected again.');
    wasLost = !isOnline;
  });
  route();
  connect();
}

start();
