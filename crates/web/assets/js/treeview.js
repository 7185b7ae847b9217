// Variations as a tree of small stones. Only what is near the current node is drawn, so depth costs nothing.

import { h, s } from './dom.js';
import { t } from './lang.js';

/** @import { GameNode, GameTree } from './gametree.js' */

const STEP = 26;
const LANE = 26;
/** Moves that are drawn before and after the current one. */
const REACH = 60;
const MAX_LANES = 24;

/**
 * @param {(node: GameNode) => void} choose
 */
export function treeView(choose) {
  const element = h('div', { class: 'tree-box', tabindex: -1, role: 'group', 'aria-label': t('analyse.variations') });

  /** @param {GameTree} tree */
  function draw(tree) {
    const { places, lanes, first } = layout(tree);
    const last = Math.max(...[...places.values()].map(([column]) => column), first);
    const width = (last - first + 1) * STEP + 10;
    const height = lanes * LANE + 8;
    const x = (/** @type {number} */ column) => (column - first) * STEP + 17;
    const y = (/** @type {number} */ lane) => lane * LANE + 16;
    const edges = [];
    const knots = [];
    for (const [node, [column, lane]] of places) {
      const from = node.parent && places.get(node.parent);
      if (from) {
        const [fx, fy] = [x(from[0]), y(from[1])];
        edges.push(s('path', { class: 'edge', d: fy === y(lane) ? `M${fx} ${fy}H${x(column)}` : `M${fx} ${fy}V${y(lane) - LANE / 2}L${x(column)} ${y(lane)}` }));
      }
      knots.push(knot(tree, node, x(column), y(lane)));
    }
    element.replaceChildren(s('svg', { width, height, viewBox: `0 0 ${width} ${height}` }, edges, knots));
    const at = places.get(tree.current);
    // With the next frame, when the page has been laid out anyway.
    if (at) requestAnimationFrame(() => scrollTo(x(at[0]), y(at[1])));
  }

  /**
   * Brings a place into view.
   * @param {number} x
   * @param {number} y
   */
  function scrollTo(x, y) {
    element.scrollLeft = x - element.clientWidth / 2;
    if (y < element.scrollTop + 14 || y > element.scrollTop + element.clientHeight - 14) {
      element.scrollTop = y - element.clientHeight / 2;
    }
  }

  /**
   * @param {GameTree} tree
   * @param {GameNode} node
   * @param {number} x
   * @param {number} y
   */
  function knot(tree, node, x, y) {
    const step = node.steps.find((step) => Array.isArray(step));
    const kind = Array.isArray(step) ? step[0] : 'root';
    const group = s('g', { class: `knot ${kind}` },
      kind === 'root' ? s('rect', { x: x - 7, y: y - 7, width: 14, height: 14, rx: 3 }) : s('circle', { cx: x, cy: y, r: 10 }),
      kind === 'root' ? null : s('text', { x, y: y + 3.5 }, node.depth),
      node.comment || Object.values(node.marks).some((list) => list?.length) ? s('circle', { class: 'said', cx: x + 8, cy: y - 8, r: 3.4 }) : null,
      node === tree.current ? s('circle', { class: 'here', cx: x, cy: y, r: 11.5 }) : null);
    group.addEventListener('click', () => choose(node));
    return group;
  }
  return { element, draw };
}

/**
 * Columns and lanes of the nodes near the current one.
 * @param {GameTree} tree
 */
function layout(tree) {
  const path = tree.pathTo();
  const start = path[Math.max(0, path.length - 1 - REACH)];
  const first = Math.max(0, path.length - 1 - REACH);
  /** @type {Map<GameNode, [number, number]>} */
  const places = new Map();
  let lanes = 1;
  /** @type {[GameNode, number, number][]} */
  const waiting = [[start, first, 0]];
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    const [node, column, wanted] = item;
    const lane = wanted < 0 ? lanes++ : wanted;
    if (lane >= MAX_LANES) break;
    places.set(node, [column, lane]);
    if (column > first + 2 * REACH) continue;
    // The main line stays in its lane and is laid out last, so that variations come below it in order.
    const [main, ...others] = node.children;
    for (const child of others) waiting.push([child, column + 1, -1]);
    if (main) waiting.push([main, column + 1, lane]);
  }
  return { places, lanes: Math.min(lanes, MAX_LANES), first };
}
