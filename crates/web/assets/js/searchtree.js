// The tree of a search as a drawing: moves as boxes with visits and value, which open what lies below them.

import { count, h, s } from './dom.js';
import { t } from './lang.js';
import { name, other, title } from './rules.js';

/** @import { Arm, Branch, Side } from './types.js' */

const [BOX, ROW, GAP] = [156, 34, 44];
/** Moves of a node that are drawn before somebody asks for more. */
const N_FIRST = 6;

/**
 * @typedef {object} Item
 * @property {number[]} line The moves from the root; that of the item is the last.
 * @property {Side} side
 * @property {Arm | null} arm None: further moves of its parent.
 * @property {number} nMore How many these are.
 * @property {number} share Visits beside those of the most visited sibling.
 * @property {boolean} isOpen
 * @property {Item | null} parent
 * @property {number} x
 * @property {number} y
 */

/**
 * Places of all moves that are open, in the order of reading.
 * @param {Arm[]} arms Of the root.
 * @param {Side} side
 * @param {Map<string, Branch>} opened By line.
 * @param {Set<string>} whole Lines below which everything is drawn.
 * @returns {Item[]}
 */
export function layout(arms, side, opened, whole) {
  /** @type {Item[]} */
  const items = [];
  let row = 0;
  /**
   * @param {number[]} line
   * @param {Side} side
   * @param {Arm[]} arms
   * @param {Item | null} parent
   * @returns {number} The height of the middle.
   */
  function place(line, side, arms, parent) {
    const top = row;
    const shown = whole.has(line.join(',')) ? arms : arms.slice(0, N_FIRST);
    const most = Math.max(1, ...arms.map((arm) => arm[1]));
    const x = line.length * (BOX + GAP);
    for (const arm of shown) {
      const path = [...line, arm[0]];
      const branch = opened.get(path.join(','));
      /** @type {Item} */
      const item = { line: path, side, arm, nMore: 0, share: arm[1] / most, isOpen: Boolean(branch), parent, x, y: 0 };
      items.push(item);
      item.y = branch?.arms.length ? place(path, branch.to_play ?? other(side), branch.arms, item) : ROW * row++;
    }
    if (arms.length > shown.length) {
      items.push({ line: [...line, NaN], side, arm: null, nMore: arms.length - shown.length, share: 0, isOpen: false, parent, x, y: ROW * row++ });
    }
    return (ROW * (top + row - 1)) / 2;
  }
  place([], side, arms, null);
  return items;
}

/**
 * @param {(line: number[]) => void} toggle Opens or closes what lies below a move.
 */
export function searchTree(toggle) {
  const element = h('div', { class: 'search-tree', role: 'tree', 'aria-label': t('inside.tree'), onclick: click, onkeydown: key });
  /** @type {Item[]} */
  let items = [];
  /** Where the keyboard is. */
  let focus = '';
  /** @type {Set<string>} */
  const whole = new Set();
  /** @type {Parameters<typeof draw> | null} */
  let drawn = null;

  /**
   * @param {Arm[]} arms
   * @param {Side} side
   * @param {Map<string, Branch>} opened
   * @param {{width: number, height: number}} board
   */
  function draw(arms, side, opened, board) {
    drawn = [arms, side, opened, board];
    items = layout(arms, side, opened, whole);
    if (!items.some(({ line }) => line.join(',') === focus)) focus = items[0]?.line.join(',') ?? '';
    const hadFocus = element.contains(document.activeElement);
    const width = Math.max(...items.map(({ x }) => x), 0) + BOX + 8;
    const height = ROW * Math.max(1, items.filter(({ isOpen, line }) => !isOpen || !opened.get(line.join(','))?.arms.length).length) + 8;
    element.replaceChildren(s('svg', { width, height, viewBox: `0 0 ${width} ${height}` },
      items.map(edge), items.map((item) => box(item, board))));
    if (hadFocus) focused()?.focus();
  }

  /** @param {Item} item */
  function edge({ x, y, parent, share }) {
    if (!parent) return null;
    const [from, mid] = [parent.x + BOX + 2, x - GAP / 2];
    return s('path', { class: 'edge', 'stroke-width': (1 + 4 * Math.sqrt(share)).toFixed(1), d: `M${from} ${parent.y + 19}C${mid} ${parent.y + 19} ${mid} ${y + 19} ${x} ${y + 19}` });
  }

  /**
   * @param {Item} item
   * @param {{width: number, height: number}} board
   */
  function box({ line, side, arm, nMore, share, isOpen, x, y }, { width, height }) {
    const key = line.join(',');
    const common = { role: 'treeitem', 'data-line': key, tabindex: key === focus ? 0 : -1, 'aria-level': line.length };
    if (!arm) {
      return s('g', { ...common, class: 'twig more', 'aria-label': t('inside.more', { n: nMore }) },
        s('rect', { class: 'box', x: x + 2, y: y + 5, width: BOX, height: 28, rx: 8 }), s('text', { x: x + 14, y: y + 24 }, t('inside.more', { n: nMore })));
    }
    const move = name(width, height, arm[0]);
    const value = arm[2].toFixed(3).replace(/^(-?)0\./, '$1.');
    return s('g', { ...common, class: `twig${isOpen ? ' open' : ''}`, 'aria-expanded': String(isOpen), 'aria-label': t('inside.twig', { color: title(side), point: move, value, n: arm[1] }) },
      s('rect', { class: 'box', x: x + 2, y: y + 5, width: BOX, height: 28, rx: 8 }),
      s('rect', { class: 'share', x: x + 2, y: y + 29, width: Math.max(2, BOX * share), height: 4, rx: 2 }),
      s('circle', { class: `chip ${side}`, cx: x + 17, cy: y + 18, r: 7.5 }),
      s('text', { class: 'strong', x: x + 30, y: y + 23 }, move),
      s('text', { class: 'num', x: x + 96, y: y + 23, 'text-anchor': 'end' }, value),
      s('text', { class: 'num quiet', x: x + BOX - 18, y: y + 23, 'text-anchor': 'end' }, count(arm[1])),
      s('text', { class: 'sign', x: x + BOX - 8, y: y + 22.5, 'text-anchor': 'middle' }, isOpen ? '−' : '+'));
  }

  /** @returns {SVGElement | null} */
  function focused() {
    return element.querySelector(`[data-line="${focus}"]`);
  }

  /** @param {Item | undefined} item */
  function goTo(item) {
    if (!item) return;
    focused()?.setAttribute('tabindex', '-1');
    focus = item.line.join(',');
    focused()?.setAttribute('tabindex', '0');
    focused()?.focus();
  }

  /** @param {Item | undefined} item */
  function act(item) {
    if (!item) return;
    if (item.arm) return toggle(item.line);
    const at = item.line.slice(0, -1);
    whole.add(at.join(','));
    // The keyboard goes on with the first of the new ones.
    focus = items[items.indexOf(item) - 1]?.line.join(',') ?? '';
    if (drawn) draw(...drawn);
  }

  /** @param {Event} event */
  function itemAt(event) {
    const key = event.target instanceof Element ? event.target.closest('[data-line]')?.getAttribute('data-line') : null;
    return items.find(({ line }) => line.join(',') === key);
  }

  /** @param {MouseEvent} event */
  function click(event) {
    const item = itemAt(event);
    goTo(item);
    act(item);
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    const item = itemAt(event);
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = items.indexOf(item);
    const below = items.find(({ parent }) => parent === item);
    switch (event.key) {
      case 'ArrowDown': goTo(items[at + 1]); break;
      case 'ArrowUp': goTo(items[at - 1]); break;
      case 'ArrowRight': if (item.isOpen) goTo(below); else act(item); break;
      case 'ArrowLeft': if (item.isOpen) act(item); else goTo(item.parent ?? undefined); break;
      case 'Enter': case ' ': act(item); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    element, draw,
    /** @param {string} text */
    say: (text) => {
      whole.clear();
      element.replaceChildren(text);
    },
  };
}
