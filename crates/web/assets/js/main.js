// The page: which view is shown, the theme, the keys, and what goes wrong.

import { byId, fill, h, recall, remember, toast } from './dom.js';
import { LANGUAGES, isKey, language, speak, t, translate } from './lang.js';
import { connect, on, onConnection } from './link.js';
import { analyse } from './analyse.js';
import { inside } from './inside.js';
import { lab } from './lab.js';
import { play } from './play.js';
import { problems } from './problems.js';
import { setSound } from './sound.js';

/** @import { View } from './types.js' */

/** @type {Record<string, () => View>} */
const makers = { play, analyse, problems, inside, lab };
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
  document.title = name === 'play' ? 'Tengen' : `Tengen – ${t(/** @type {import('./lang.js').Key} */ (`tab.${name}`))}`;
  // Whoever comes from far down in another view would not see the board.
  scrollTo(0, 0);
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
  /** @type {('auto' | 'light' | 'dark')[]} */
  const themes = ['auto', 'light', 'dark'];
  let theme = recall('theme', themes[0]);
  const apply = () => {
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    const about = t('page.theme', { name: t(`theme.${theme}`) });
    byId('theme').title = about;
    byId('theme').setAttribute('aria-label', about);
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
    byId('sound').title = t(isOn ? 'page.sound-on' : 'page.sound-off');
    byId('sound').setAttribute('aria-label', byId('sound').title);
  };
  byId('sound').addEventListener('click', () => {
    isOn = !isOn;
    remember('sound', isOn);
    apply();
  });
  apply();
}

/** The page in the visitor's language, and others to choose from. */
function languages() {
  translate(document);
  byId('tabs').setAttribute('aria-label', t('page.views'));
  const choice = /** @type {HTMLSelectElement} */ (byId('language'));
  fill(choice, Object.entries(LANGUAGES).map(([code, name]) => h('option', { value: code, lang: code, selected: code === language }, name)));
  choice.addEventListener('change', () => speak(choice.value));
}

/**
 * What the server refuses, said in its own words; in other languages than its own with a word of what kind it is.
 * @param {import('./types.js').ErrorMessage} fault
 */
function tellFault({ kind, message }) {
  const key = `fault.${kind}`;
  toast(language !== 'en' && isKey(key) ? t(key, { message }) : message);
}

/** @param {KeyboardEvent} event */
function key(event) {
  const { target } = event;
  if (!(target instanceof Element)) return;
  const isTyping = target.closest('input:not([type=checkbox]):not([type=radio]), select, textarea, dialog');
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === ' ' && target.closest('button, a')) return;
  // A key that comes before the view was entered is meant for what it shows then.
  if (entering) {
    clearTimeout(entering);
    enter();
  }
  if (event.key === '?') /** @type {HTMLDialogElement} */ (byId('keys')).showModal();
  else if (!current?.key?.(event)) return;
  event.preventDefault();
}

function start() {
  languages();
  themes();
  sounds();
  byId('help').addEventListener('click', () => /** @type {HTMLDialogElement} */ (byId('keys')).showModal());
  addEventListener('hashchange', route);
  addEventListener('keydown', key);
  on('error', tellFault);
  let wasLost = false;
  onConnection((isOnline) => {
    byId('offline').hidden = isOnline;
    if (isOnline && wasLost) toast(t('page.connected'));
    wasLost = !isOnline;
  });
  route();
  connect();
}

start();
