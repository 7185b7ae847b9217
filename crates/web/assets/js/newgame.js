// The terms of a new game.

import { fill, h, recall, remember } from './dom.js';
import { t } from './lang.js';
import { effort, levelName, levelsOf } from './levels.js';
import { netChooser } from './nets.js';
import { ruleName } from './rules.js';

/** @import { ClockTerms, Game, Side, Welcome } from './types.js' */

/** @type {(ClockTerms | null)[]} */
const CLOCKS = [
  null,
  { main: 60, period: 10, periods: 3 },
  { main: 300, period: 20, periods: 3 },
  { main: 900, period: 30, periods: 5 },
  { main: 600, period: 0, periods: 0 },
];

/** @param {ClockTerms | null} terms */
function clockName(terms) {
  if (!terms) return t('new.no-clock');
  const { main, period, periods } = terms;
  return periods ? t('new.clock-text', { main: main / 60, period, periods }) : t('new.sudden', { main: main / 60 });
}

/**
 * A dialog that asks for the terms and hands them over.
 * @param {(fields: import('./types.js').NewGame) => void} start
 */
export function newGameDialog(start) {
  const saved = recall('terms', { size: 9, color: 'black', level: 4, rules: 'chinese', clock: 0, teach: false });
  // Levels with a network are others than those without.
  const chosenLevels = { plain: saved.level, net: recall('net-level', 3) };
  const size = h('input', { type: 'number', min: 5, max: 25, value: saved.size, 'aria-label': t('new.other-size'), class: 'narrow' });
  const sizes = segments('size', [['9', '9×9'], ['13', '13×13'], ['19', '19×19']], String(saved.size), (value) => {
    size.value = value;
    suggest();
  });
  size.addEventListener('input', () => {
    sizes.choose(size.value);
    suggest();
  });
  const color = segments('color', [['black', t('new.black')], ['white', t('new.white')], ['random', t('new.random')]], saved.color, () => {});
  // How many levels there are is known when the dialog opens.
  const level = h('input', { type: 'range', min: 1, max: saved.level, value: saved.level, id: 'level', oninput: () => keepLevel() });
  const levelName_ = h('output', { for: 'level' });
  const net = netChooser('opponent-net', 'net.play', t('new.no-net'), () => setLevels());
  const komi = h('input', { type: 'number', step: 0.5, value: 7.5, required: true, id: 'komi', class: 'narrow' });
  const handicap = h('input', { type: 'number', min: 0, max: 9, value: 0, id: 'handicap', class: 'narrow', oninput: () => suggest() });
  const rules = h('select', { id: 'rules', onchange: () => suggest() });
  const clock = h('select', { id: 'clock', onchange: () => allowTeaching() }, CLOCKS.map((terms, idx) => h('option', { value: idx, selected: idx === saved.clock }, clockName(terms))));
  const teach = h('input', { type: 'checkbox', id: 'new-teach', checked: Boolean(saved.teach) });

  const element = h('dialog', { class: 'new-game', 'aria-labelledby': 'new-game-title' },
    h('form', { method: 'dialog', onsubmit: submit },
      h('h2', { id: 'new-game-title' }, t('play.new-game')),
      field(t('new.board'), h('div', { class: 'row' }, sizes.element, h('label', { class: 'check small' }, t('new.or'), size))),
      field(t('new.you-play'), color.element),
      h('div', { class: 'field' }, h('label', { for: 'opponent-net' }, t('common.network')), net.element),
      h('div', { class: 'field' }, h('label', { for: 'level' }, t('new.strength')), level, levelName_),
      h('div', { class: 'fields' },
        h('div', { class: 'field' }, h('label', { for: 'rules' }, t('new.rules')), rules),
        h('div', { class: 'field' }, h('label', { for: 'komi' }, t('new.komi')), komi),
        h('div', { class: 'field' }, h('label', { for: 'handicap' }, t('new.handicap')), handicap),
        h('div', { class: 'field' }, h('label', { for: 'clock' }, t('new.clock')), clock)),
      h('label', { class: 'check' }, teach, h('span', {}, t('teach.label'), h('span', { class: 'quiet small block' }, t('teach.about')))),
      h('div', { class: 'row ends' },
        h('button', { type: 'button', onclick: () => element.close() }, t('common.cancel')),
        h('button', { class: 'primary', id: 'start-game' }, t('new.start')))));

  /**
   * @param {string} label
   * @param {HTMLElement} control
   */
  function field(label, control) {
    return h('fieldset', { class: 'field' }, h('legend', {}, label), control);
  }

  function levels() {
    return levelsOf(net.value());
  }

  /** The levels that go with the choice of a network, and the one that was chosen of them. */
  function setLevels() {
    level.max = String(levels().length || 1);
    level.value = String(net.value() ? chosenLevels.net : chosenLevels.plain);
    nameLevel();
  }

  function keepLevel() {
    if (net.value()) chosenLevels.net = Number(level.value);
    else chosenLevels.plain = Number(level.value);
    nameLevel();
  }

  function nameLevel() {
    const number = Number(level.value);
    const [name, about] = net.value()
      ? [levelName(number, net.value()), number === 1 ? t('level.first-thought') : '']
      : [`${number}. ${levelName(number, null)}`, effort(number, null)];
    fill(levelName_, h('b', {}, name), ' ', h('span', { class: 'quiet small' }, about));
    level.setAttribute('aria-valuetext', name);
  }

  /** Whoever is taught has all the time in the world. */
  function allowTeaching() {
    teach.disabled = clock.value !== '0';
  }

  /** A komi that goes with the rest, and no more handicap stones than the board has points for. */
  function suggest() {
    const side = Number(size.value);
    const most = side < 7 ? 0 : side < 9 || side % 2 === 0 ? 4 : 9;
    handicap.max = String(most);
    if (Number(handicap.value) > most) handicap.value = String(most);
    handicap.setCustomValidity(Number(handicap.value) === 1 ? t('new.handicap-one', { most }) : '');
    // No more than the board has points, as the server has it.
    const points = side * side;
    komi.min = String(-points);
    komi.max = String(points);
    const isTerritory = ['japanese', 'korean'].includes(rules.value);
    komi.value = Number(handicap.value) >= 2 ? '0.5' : isTerritory ? '6.5' : side < 7 ? '0.5' : '7.5';
  }

  function submit() {
    const terms = {
      size: Number(size.value), color: color.value(), level: Number(level.value), rules: rules.value, clock: Number(clock.value), teach: teach.checked && !teach.disabled,
    };
    remember('terms', { ...terms, level: chosenLevels.plain });
    remember('net-level', chosenLevels.net);
    /** @type {Side} */
    const side = terms.color === 'random' ? (Math.random() < 0.5 ? 'black' : 'white') : /** @type {Side} */ (terms.color);
    const n = Number(handicap.value);
    start({ ...terms, net: net.value(), color: side, komi: Number(komi.value), handicap: n < 2 ? 0 : n, clock: CLOCKS[terms.clock] });
  }

  return {
    element,
    /**
     * @param {Welcome | null} known
     * @param {Game | null} game
     */
    open(known, game) {
      const wanted = rules.value || saved.rules || game?.rules;
      fill(rules, (known?.rules ?? ['chinese']).map((rule) => h('option', { value: rule, selected: rule === wanted }, ruleName(rule))));
      suggest();
      setLevels();
      allowTeaching();
      element.showModal();
    },
  };
}

/**
 * Radio buttons side by side.
 * @param {string} group
 * @param {[string, string][]} choices
 * @param {string} chosen
 * @param {(value: string) => void} change
 */
export function segments(group, choices, chosen, change) {
  const inputs = choices.map(([value]) => h('input', {
    type: 'radio', name: group, value, checked: value === chosen, onchange: () => change(value),
  }));
  return {
    element: h('div', { class: 'segments' }, choices.map(([, label], idx) => h('label', {}, inputs[idx], label))),
    value: () => inputs.find((input) => input.checked)?.value ?? choices[0][0],
    /** @param {string} value */
    choose: (value) => inputs.forEach((input) => { input.checked = input.value === value; }),
  };
}
