// Inside the search: any recipe, or two side by side on the same position, watched while they think.

import { fill, h, recall, remember } from './dom.js';
import { GameTree } from './gametree.js';
import { t } from './lang.js';
import { ask, on } from './link.js';
import { asksNet, netChooser } from './nets.js';
import { pane } from './pane.js';
import { spotOf } from './play.js';
import { newNumber, shared } from './shared.js';

/** @import { Spot, View } from './types.js' */

/** @returns {View} */
export function inside() {
  const saved = recall('inside', { a: 'default', b: 'uct', extraA: '', extraB: '', isTwo: true, playouts: 10000, from: '9' });
  let number = 0;
  let isRunning = false;
  let isHere = false;
  /** @type {Set<number>} */
  let working = new Set();
  const panes = [0, 1].map((idx) => pane(idx, () => {}));
  const chooserA = chooser(t('inside.recipe-a'), 'a', saved.a, saved.extraA);
  const chooserB = chooser(t('inside.recipe-b'), 'b', saved.b, saved.extraB);
  const two = h('input', { type: 'checkbox', checked: saved.isTwo, id: 'two', onchange: arrange });
  const playouts = h('select', { id: 'simulations', 'aria-label': t('inside.budget') },
    [500, 2000, 10_000, 50_000, 200_000, 1_000_000].map((n) => h('option', { value: n, selected: n === saved.playouts }, t('inside.simulations', { n }))));
  const from = h('select', { id: 'inside-from', 'aria-label': t('inside.position') });
  // Whoever changes the network while it is asked wants to see the other one.
  const net = netChooser('inside-net', 'net.inside', t('analyse.no-net'), () => { if (isRunning) start(); });
  const run = h('button', { type: 'button', class: 'primary', id: 'run-inside', onclick: () => (isRunning ? ask('stop') : start()) }, t('inside.run'));
  const area = h('div', { class: 'panes' });
  const element = h('div', { class: 'view inside' },
    h('section', { class: 'card', 'aria-label': t('inside.what') },
      h('div', { class: 'recipes' }, chooserA.element, chooserB.element),
      h('div', { class: 'row' },
        h('label', { class: 'check' }, two, t('inside.two')),
        h('label', { class: 'check' }, t('inside.on'), from), playouts,
        h('label', { class: 'check' }, t('common.network'), net.element), run)),
    area);

  on('welcome', () => {
    // A server that was away has forgotten what it searched.
    working.clear();
    isRunning = false;
    drawRun();
    ready();
  });
  on('report', (report) => {
    if (report.number !== number) return;
    panes[report.search]?.take(report);
    if (report.done) working.delete(report.search);
    isRunning = working.size > 0;
    drawRun();
  });
  on('branch', (branch) => { if (branch.number === number) panes[branch.search]?.takeBranch(branch); });
  on('error', (fault) => {
    if (fault.ask === 'study' && isHere) {
      isRunning = false;
      drawRun();
    }
  });

  /**
   * @param {string} label
   * @param {string} id
   * @param {string} chosen
   * @param {string} extra
   */
  function chooser(label, id, chosen, extra) {
    const select = h('select', { id: `recipe-${id}`, onchange: describe });
    const changes = h('input', { type: 'text', id: `changes-${id}`, value: extra, placeholder: t('inside.changes', { example: 'select.c=0.2' }), 'aria-label': t('inside.changes-to', { recipe: label }), spellcheck: false });
    const about = h('p', { class: 'small quiet about' });
    function describe() {
      const known = shared.welcome?.recipes.find(({ name }) => name === select.value);
      about.textContent = known ? known.about : '';
      about.title = known?.brief ?? '';
    }
    return {
      element: h('div', { class: 'field' }, h('label', { for: `recipe-${id}` }, label), select, changes, about),
      text: () => `${select.value || chosen} ${changes.value}`.trim(),
      value: () => select.value || chosen,
      extra: () => changes.value,
      fill: () => {
        const wanted = select.value || chosen;
        fill(select, (shared.welcome?.recipes ?? []).map(({ name }) => h('option', { value: name, selected: name === wanted }, name)));
        describe();
      },
    };
  }

  function ready() {
    chooserA.fill();
    chooserB.fill();
    /** @type {[string, string][]} */
    const places = [['play', t('inside.from-play')], ['analyse', t('inside.from-analyse')], ...['9', '13', '19'].map((n) => /** @type {[string, string]} */ ([n, t('inside.from-empty', { size: `${n}×${n}` })]))];
    const wanted = from.value || saved.from;
    fill(from, places.filter(([value]) => (value !== 'play' || shared.game) && (value !== 'analyse' || shared.spot))
      .map(([value, label]) => h('option', { value, selected: value === wanted }, label)));
  }

  function arrange() {
    fill(area, two.checked ? panes.map(({ element }) => element) : panes[0].element);
    chooserB.element.hidden = !two.checked;
  }

  /** @returns {Spot} */
  function spot() {
    if (from.value === 'play' && shared.game) return spotOf(shared.game);
    if (from.value === 'analyse' && shared.spot) return shared.spot;
    const side = Number(from.value) || 9;
    return { width: side, height: side, komi: 7.5, rules: 'chinese', handicap: 0, steps: [] };
  }

  function start() {
    const recipes = two.checked ? [chooserA.text(), chooserB.text()] : [chooserA.text()];
    remember('inside', {
      a: chooserA.value(), b: chooserB.value(), extraA: chooserA.extra(), extraB: chooserB.extra(), isTwo: two.checked, playouts: Number(playouts.value), from: from.value,
    });
    number = newNumber();
    const wanted = spot();
    const { stones, last, toPlay } = GameTree.ofSpot(wanted).current;
    const scene = { width: wanted.width, height: wanted.height, stones, last, toPlay };
    const watch = [...new Set(panes.flatMap((pane) => pane.watched()))].slice(0, 40);
    const isAsked = recipes.some(asksNet);
    recipes.forEach((recipe, idx) => panes[idx].reset(scene, asksNet(recipe) && net.value() ? t('inside.with', { recipe, net: net.value() ?? '' }) : recipe));
    working = new Set(recipes.keys());
    isRunning = true;
    ask('study', { number, spot: wanted, recipes, playouts: Number(playouts.value), detail: true, watch, net: isAsked ? net.value() : null });
    drawRun();
  }

  function drawRun() {
    run.textContent = t(isRunning ? 'analyse.stop' : 'inside.run');
    run.setAttribute('aria-pressed', String(isRunning));
  }

  if (shared.welcome) ready();
  arrange();
  for (const one of panes) {
    one.reset({ width: 9, height: 9, stones: '.'.repeat(81), last: null, toPlay: 'black' }, '');
  }
  return {
    element,
    enter: () => {
      isHere = true;
      ready();
    },
    leave: () => {
      isHere = false;
      ask('stop');
    },
    key: (event) => {
      if (event.key !== ' ') return false;
      if (isRunning) ask('stop');
      else start();
      return true;
    },
  };
}
