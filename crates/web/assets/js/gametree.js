// A game with variations, as Analyse shows and changes it. The file it came from stays with the server's words for its nodes:
// what was changed is told by node, and the server writes the file.

import { after, other } from './rules.js';

/** @import { Edit, Markup, Raw, Report, Side, Spot, SpotStep, Tree } from './types.js' */

/**
 * @typedef {object} GameNode
 * @property {number} id
 * @property {GameNode | null} parent
 * @property {GameNode[]} children
 * @property {SpotStep[]} steps
 * @property {string} comment
 * @property {string} name
 * @property {Markup} marks
 * @property {boolean | null} isRight What a file of problems calls it.
 * @property {number | null} origin Its number in the record; none: it was added here.
 * @property {Set<'comment' | 'name' | 'marks'>} changed What differs from the record.
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

/** @typedef {{parent: number | null, steps: SpotStep[], comment?: string, name?: string, marks?: Markup | null, is_right?: boolean | null, origin?: number | null, changed?: string[]}} PlainNode */
/** @typedef {Omit<Spot, 'steps'> & {players: [string, string], result: string, nodes: PlainNode[], current?: number, sgf?: string | null, n_told?: number, removed?: number[], file?: string}} PlainTree */

export class GameTree {
  /** @param {Omit<Spot, 'steps'>} base */
  constructor(base) {
    this.base = base;
    /** @type {[string, string]} */
    this.players = ['', ''];
    this.result = '';
    /** The file it was read from, in base64. @type {string | null} */
    this.sgf = null;
    this.file = '';
    /** Nodes that the server told of. */
    this.nTold = 1;
    /** Numbers of nodes of the record that were taken out. @type {number[]} */
    this.removed = [];
    /** @type {GameNode[]} */
    this.nodes = [];
    this.root = this.add(null, []);
    this.root.origin = 0;
    this.current = this.root;
  }

  /**
   * Adds a node after `parent`.
   * @param {GameNode | null} parent
   * @param {SpotStep[]} steps
   * @returns {GameNode}
   */
  add(parent, steps) {
    const { width, height } = this.base;
    /** @type {GameNode} */
    const node = {
      id: this.nodes.length, parent, children: [], steps, comment: '', name: '', marks: {}, isRight: null, origin: null, changed: new Set(),
      report: null, raw: null, value: null, review: null,
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
   * @param {SpotStep[]} steps
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
    const { parent, origin } = this.current;
    if (!parent) return;
    if (origin !== null) this.removed.push(origin);
    parent.children = parent.children.filter((child) => child !== this.current);
    this.current = parent;
  }

  /**
   * Changes the comment or the name of the current node.
   * @param {'comment' | 'name'} key
   * @param {string} text
   */
  write(key, text) {
    this.current[key] = text;
    this.current.changed.add(key);
  }

  /**
   * Puts a mark on a point of the current node, or takes it away if it is there. A point has one mark and one label at most.
   * @param {keyof Markup} kind
   * @param {number} point
   * @param {string} [text] Of a label; the next free letter otherwise.
   */
  mark(kind, point, text) {
    const { current } = this;
    const before = current.marks;
    const has = kind === 'labels' ? before.labels?.some(([at]) => at === point) : before[kind]?.includes(point);
    /** @type {Markup} */
    const marks = { ...before };
    if (kind === 'labels') {
      const labels = (before.labels ?? []).filter(([at]) => at !== point);
      marks.labels = has ? labels : [...labels, [point, text ?? freeLetter(labels.map(([, label]) => label))]];
    } else {
      for (const key of MARKS) if (before[key]) marks[key] = before[key].filter((at) => at !== point);
      if (!has) marks[kind] = [...(marks[kind] ?? []), point];
    }
    current.marks = marks;
    current.changed.add('marks');
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
    const steps = this.pathTo(node).flatMap((at) => at.steps);
    // The server takes it that players take turns, Black first.
    let next = /** @type {Side} */ ('black');
    for (const step of steps) next = Array.isArray(step) ? other(step[0]) : step.to_play ?? next;
    return { ...this.base, steps: next === node.toPlay ? steps : [...steps, { to_play: node.toPlay }] };
  }

  /** The nodes that can be reached, parents before children. */
  living() {
    const seen = new Set();
    return this.nodes.filter((node) => {
      const isThere = !node.parent || (seen.has(node.parent) && node.parent.children.includes(node));
      if (isThere) seen.add(node);
      return isThere;
    });
  }

  /** What differs from the record, for the server. @returns {Edit[]} */
  edits() {
    /** @type {Edit[]} */
    const edits = [];
    /** @type {Map<GameNode | null, number>} */
    const numbers = new Map();
    let next = this.nTold;
    for (const node of this.living()) {
      const isNew = node.origin === null;
      const number = node.origin ?? next++;
      numbers.set(node, number);
      if (isNew) edits.push({ edit: 'add', parent: numbers.get(node.parent) ?? 0, steps: node.steps });
      if (node.changed.has('comment')) edits.push({ edit: 'comment', node: number, text: node.comment });
      if (node.changed.has('name')) edits.push({ edit: 'name', node: number, text: node.name });
      if (node.changed.has('marks')) edits.push({ edit: 'marks', node: number, marks: node.marks });
    }
    return [...edits, ...this.removed.map((node) => /** @type {Edit} */ ({ edit: 'remove', node }))];
  }

  /** What the server needs to write the file. */
  toAsk() {
    const { players, result } = this;
    const edits = this.edits();
    return this.sgf !== null ? { sgf: this.sgf, edits } : { game: { ...this.base, handicap: this.base.handicap ?? 0, players, result, steps: this.root.steps }, edits };
  }

  /** What is remembered of it. @returns {PlainTree} */
  toPlain() {
    const nodes = this.living();
    const index = new Map(nodes.map((node, idx) => [node, idx]));
    return {
      ...this.base, players: this.players, result: this.result, sgf: this.sgf, file: this.file, n_told: this.nTold, removed: this.removed,
      current: index.get(this.current) ?? 0,
      nodes: nodes.map((node) => ({
        parent: node.parent ? index.get(node.parent) ?? null : null, steps: node.steps, comment: node.comment, name: node.name, marks: node.marks,
        origin: node.origin, changed: [...node.changed],
      })),
    };
  }

  /**
   * From what the server read of a file, or from what was remembered.
   * @param {Tree | PlainTree} told
   */
  static of(told) {
    const plain = /** @type {PlainTree} */ (told);
    const { width, height, komi, rules, handicap } = plain;
    const tree = new GameTree({ width, height, komi, rules, handicap });
    tree.players = plain.players;
    tree.result = plain.result;
    tree.sgf = plain.sgf ?? null;
    tree.file = plain.file ?? '';
    tree.nTold = plain.n_told ?? plain.nodes.length;
    tree.removed = plain.removed ?? [];
    /** @type {GameNode[]} */
    const made = [];
    plain.nodes.forEach((from, idx) => {
      const node = from.parent === null ? tree.root : tree.add(made[from.parent], from.steps);
      if (from.parent === null) {
        node.steps = from.steps;
        tree.apply(node, from.steps);
      }
      node.comment = from.comment ?? '';
      node.name = from.name ?? '';
      node.marks = from.marks ?? {};
      node.isRight = from.is_right ?? null;
      node.origin = from.origin === undefined ? idx : from.origin;
      node.changed = new Set(/** @type {('comment' | 'name' | 'marks')[]} */ (from.changed ?? []));
      made.push(node);
    });
    tree.current = made[plain.current ?? 0] ?? tree.root;
    // Before the first move it is the turn of whoever makes it, unless the record says otherwise.
    for (let node = tree.root; node.children[0] && node.depth === 0; node = node.children[0]) {
      const step = node.children[0].steps.find((step) => Array.isArray(step));
      const isSaid = node.steps.some((step) => !Array.isArray(step) && step.to_play);
      if (Array.isArray(step) && !isSaid) node.toPlay = step[0];
    }
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
 * @param {SpotStep | undefined} step
 * @param {Side} side
 * @param {number} point
 */
function isMove(step, side, point) {
  return Array.isArray(step) && step[0] === side && step[1] === point;
}

/** Marks of which a point has one at most. @type {(keyof Omit<Markup, 'labels'>)[]} */
const MARKS = ['triangle', 'square', 'circle', 'cross', 'selected', 'black_territory', 'white_territory'];

/**
 * The first of A, B, … Z, a, … z that is not taken; after them ?.
 * @param {string[]} taken
 */
function freeLetter(taken) {
  return [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].find((letter) => !taken.includes(letter)) ?? '?';
}

/**
 * The first number from 1 that is not taken.
 * @param {string[]} taken
 */
export function freeNumber(taken) {
  let n = 1;
  while (taken.includes(String(n))) n += 1;
  return String(n);
}

/**
 * The numbers of the moves on the way to a node, by the stones that are still there.
 * @param {GameTree} tree
 * @param {'all' | 'last'} which
 * @returns {Map<number, number>}
 */
export function moveNumbers(tree, which) {
  /** @type {Map<number, number>} */
  const numbers = new Map();
  for (const node of which === 'all' ? tree.pathTo() : [tree.current]) {
    if (node.last !== null && node.last >= 0 && tree.current.stones[node.last] !== '.') numbers.set(node.last, node.depth);
  }
  return numbers;
}
