// Networks to choose from.

import { fill, h, recall, remember } from './dom.js';
import { t } from './lang.js';
import { ask, on } from './link.js';
import { shared } from './shared.js';

/** @import { NetInfo } from './types.js' */

/** What the server found; none: it still looks. @type {NetInfo[] | null} */
let known = null;

on('welcome', () => ask('nets'));
on('nets', (message) => { known = message.nets; });
// A network that is gone is not offered any longer.
on('error', (fault) => { if (fault.kind === 'unknown' && fault.message.startsWith('the network')) ask('nets'); });

/** @typedef {ReturnType<typeof netChooser>} NetChooser */

/**
 * A list of the networks, with none of them first. The choice is remembered under `key`; where there is none, the network
 * that the server was started with is chosen.
 * @param {string} id
 * @param {string} key
 * @param {string} none What is said of no network.
 * @param {(net: string | null) => void} change
 */
export function netChooser(id, key, none, change) {
  /** The name that is wanted; empty: no network. @type {string | null} */
  let wanted = recall(key, /** @type {string | null} */ (null));
  const select = h('select', { id, 'aria-label': t('common.network'), class: 'net', onchange: () => {
    choose(select.value);
    change(value());
  } });
  on('welcome', draw);
  on('nets', () => {
    const isGone = Boolean(value()) && !usable().some(({ name }) => name === value());
    if (isGone) choose('');
    draw();
    if (isGone) change(null);
  });

  function usable() {
    return (known ?? []).filter(({ error }) => error === null);
  }

  function value() {
    return (wanted ?? shared.welcome?.net ?? '') || null;
  }

  /** @param {string} name */
  function choose(name) {
    wanted = name;
    remember(key, name);
    draw();
  }

  function draw() {
    const chosen = value() ?? '';
    const nets = known ?? (chosen ? [{ name: chosen, about: '', error: null }] : []);
    fill(select, h('option', { value: '', selected: chosen === '' }, none), nets.map(({ name, about, error }) => h('option', {
      value: name, selected: name === chosen, disabled: error !== null, title: error ?? about,
    }, error === null ? name : t('nets.unusable', { name, error }))));
    select.title = nets.length ? nets.find(({ name }) => name === chosen)?.about ?? ''
      : t('nets.where');
  }

  draw();
  return {
    element: select,
    value,
    choose,
    /** The first that may be chosen. */
    first: () => shared.welcome?.net ?? usable()[0]?.name ?? null,
  };
}

/**
 * Whether a recipe asks a network.
 * @param {string} text A name, and changes after it.
 */
export function asksNet(text) {
  const [name, ...changes] = text.trim().split(/\s+/);
  const isAsking = shared.welcome?.recipes.find((recipe) => recipe.name === name)?.asks_net ?? false;
  return [name, ...changes].reduce((asks, word) => (word.startsWith('net=') ? word === 'net=loaded' : asks), isAsking);
}
