// A game with variations: what is shown in Analyse, and written as SGF.

import { after, other } from './rules.js';

/** @import { Raw, Report, Side, Spot, Step, Tree } from './types.js' */

/**
 * @typedef {object} GameNode
 * @property {number} id
 * @property {GameNode | null} parent
 * @property {GameNode[]} children
 * @property {Step[]} steps
 * @property {string} comment
 * @property {string} stones
 * @property {Side} toPlay
 * @property {number} depth Moves from the root.
 * @property {number | null} last
 * @property {[number, number]} captured
 * @property {Report | null} report
 * @property {Raw | null} raw What a network says of it by itself.
 * @property {{win: number, score: number, best: number | null} | null} value As Black sees it.
 * @property {import('./types.js').ReviewedMove | null} review What a review says of the move that led here.
 */

export class GameTree {
  /** @param {Omit<Spot, 'steps'>} base */
  constructor(base) {
    this.base = base;
    /** @type {[string, string]} */
    this.players = ['', ''];
    this.result = '';
    /** @type {GameNode[]} */
    this.nodes = [];
    this.root = this.add(null, []);
    this.current = this.root;
  }

  /**
   * Adds a node after `parent`.
   * @param {GameNode | null} parent
   * @param {Step[]} steps
   * @param {string} [comment]
   * @returns {GameNode}
   */
  add(parent, steps, comment = '') {
    const { width, height } = this.base;
    /** @type {GameNode} */
    const node = {
      id: this.nodes.length, parent, children: [], steps, comment, report: null, raw: null, value: null, review: null,
      stones: parent?.stones ?? '.'.repeat(width * height), toPlay: parent?.toPlay ?? 'black',
      depth: parent?.depth ?? 0, last: null, captured: [...(parent?.captured ?? [0, 0])],
    };
    this.apply(node, steps);
    parent?.children.push(node);
    this.nodes.push(node);
    return node;
  }

  /**
   * @param {GameNode} node
   * @param {Step[]} steps
   */
  apply(node, steps) {
    for (const step of steps) {
      const next = after(node.stones, this.base.width, this.base.height, step);
      node.stones = next.stones;
      node.captured[0] += next.captured[0];
      node.captured[1] += next.captured[1];
      if (Array.isArray(step)) {
        node.toPlay = other(step[0]);
        node.last = step[1];
        node.depth += 1;
      } else if (step.to_play) node.toPlay = step.to_play;
      else if (!node.parent && step.black?.length && !step.white?.length) node.toPlay = 'white';
    }
  }

  /**
   * Plays at the current node: goes on to a move that is there already, or begins a variation.
   * @param {number} point
   */
  play(point) {
    const { current } = this;
    const found = current.children.find((child) => isMove(child.steps[0], current.toPlay, point));
    this.current = found ?? this.add(current, [[current.toPlay, point]]);
    return this.current;
  }

  /** Removes the current node with all that follows; the one before is current then. */
  removeCurrent() {
    const { parent } = this.current;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== this.current);
    this.current = parent;
  }

  /** Forgets what was found, because somebody else is asked now. */
  forget() {
    for (const node of this.nodes) node.report = node.raw = node.value = node.review = null;
  }

  /** @param {GameNode} [node] @returns {GameNode[]} */
  pathTo(node = this.current) {
    const path = [];
    for (let at = /** @type {GameNode | null} */ (node); at; at = at.parent) path.push(at);
    return path.reverse();
  }

  /** The line through the current node, to its end. */
  line() {
    const line = this.pathTo();
    for (let at = this.current.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }

  /** @param {GameNode} [node] @returns {Spot} */
  spot(node = this.current) {
    return { ...this.base, steps: this.pathTo(node).flatMap((at) => at.steps) };
  }

  /** The record as SGF. */
  toSgf() {
    const { width, height, komi, rules, handicap } = this.base;
    let text = `(;GM[1]FF[4]CA[UTF-8]AP[Tengen]SZ[${width === height ? width : `${width}:${height}`}]KM[${komi}]RU[${escape(rules)}]`;
    if (handicap) text += `HA[${handicap}]`;
    if (this.players[0]) text += `PB[${escape(this.players[0])}]`;
    if (this.players[1]) text += `PW[${escape(this.players[1])}]`;
    if (this.result && this.result !== '?') text += `RE[${escape(this.result)}]`;
    text += this.properties(this.root);
    // Children are written without recursion: records may be deep.
    /** @type {(GameNode | string)[]} */
    const waiting = [')', ...this.open(this.root)];
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      if (typeof item === 'string') text += item;
      else {
        text += `\n;${this.properties(item)}`;
        waiting.push(...this.open(item));
      }
    }
    return `${text}\n`;
  }

  /**
   * What follows a node, the last first: a line goes on as it is, variations have brackets.
   * @param {GameNode} node
   * @returns {(GameNode | string)[]}
   */
  open(node) {
    if (node.children.length < 2) return [...node.children];
    return [...node.children].reverse().flatMap((child) => [')', child, '\n(']);
  }

  /** @param {GameNode} node */
  properties(node) {
    const { width } = this.base;
    const at = (/** @type {number} */ point) => (point < 0 ? '' : `${sgfLetter(point % width)}${sgfLetter(Math.floor(point / width))}`);
    let text = '';
    for (const step of node.steps) {
      if (Array.isArray(step)) text += `${step[0] === 'black' ? 'B' : 'W'}[${at(step[1])}]`;
      else {
        for (const [name, points] of /** @type {[string, number[] | undefined][]} */ ([['AB', step.black], ['AW', step.white], ['AE', step.empty]])) {
          if (points?.length) text += `${name}${points.map((point) => `[${at(point)}]`).join('')}`;
        }
        if (step.to_play) text += `PL[${step.to_play === 'black' ? 'B' : 'W'}]`;
      }
    }
    if (node.comment) text += `C[${escape(node.comment)}]`;
    return text;
  }

  /** What is remembered of it. */
  toPlain() {
    const index = new Map();
    const nodes = this.nodes.filter((node) => {
      const isThere = !node.parent || (index.has(node.parent) && node.parent.children.includes(node));
      if (isThere) index.set(node, index.size);
      return isThere;
    });
    return {
      ...this.base, players: this.players, result: this.result, current: index.get(this.current) ?? 0, is_cut: false,
      nodes: nodes.map((node) => ({ parent: node.parent ? index.get(node.parent) : null, steps: node.steps, comment: node.comment })),
    };
  }

  /**
   * From what the server read of a file, or from what was remembered.
   * @param {Tree & {current?: number}} plain
   */
  static of(plain) {
    const { width, height, komi, rules, handicap } = plain;
    const tree = new GameTree({ width, height, komi, rules, handicap });
    tree.players = plain.players;
    tree.result = plain.result;
    /** @type {GameNode[]} */
    const made = [];
    for (const { parent, steps, comment } of plain.nodes) {
      if (parent === null) {
        tree.apply(tree.root, steps);
        tree.root.steps = steps;
        tree.root.comment = comment ?? '';
        made.push(tree.root);
      } else made.push(tree.add(made[parent], steps, comment));
    }
    tree.current = made[plain.current ?? 0] ?? tree.root;
    return tree;
  }

  /** @param {Spot} spot */
  static ofSpot(spot) {
    const { steps, ...base } = spot;
    const tree = new GameTree(base);
    let node = tree.root;
    for (const step of steps) {
      if (!Array.isArray(step) && node === tree.root && !node.steps.length) {
        node.steps = [step];
        tree.apply(node, [step]);
      } else node = tree.add(node, [step]);
    }
    tree.current = node;
    return tree;
  }
}

/**
 * @param {Step | undefined} step
 * @param {Side} side
 * @param {number} point
 */
function isMove(step, side, point) {
  return Array.isArray(step) && step[0] === side && step[1] === point;
}

/** @param {string} text */
function escape(text) {
  return text.replace(/[\\\]]/g, '\\$&');
}

/** @param {number} n */
function sgfLetter(n) {
  return String.fromCharCode(97 + n);
}
