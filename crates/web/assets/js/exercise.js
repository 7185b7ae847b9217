// One exercise: whose turn it is, what is right, and what follows a try. Either a position with right moves, or the
// variations of a file. Nothing here draws.

import { GameTree } from './gametree.js';

/** @import { Problem, Side, Tree } from './types.js' */
/** @import { GameNode } from './gametree.js' */

/** @typedef {'open' | 'right' | 'wrong'} State */
/** @typedef {{state: State, isKnown: boolean, refutation: number[]}} Outcome Unknown moves are to be searched. */

/**
 * @typedef {object} Exercise
 * @property {string} id By which progress is remembered.
 * @property {string} title
 * @property {GameTree} tree
 * @property {GameNode} start
 * @property {Side} side Whose move is to be found.
 * @property {(point: number) => Outcome} play Plays a move of the visitor, and the answer of the file.
 * @property {() => number[]} answer The right moves at the start, or the right line.
 * @property {() => void} reset
 */

/**
 * A position with right moves.
 * @param {string} id
 * @param {Problem} problem
 * @returns {Exercise}
 */
export function ofProblem(id, problem) {
  const tree = GameTree.ofSpot(problem.spot);
  const start = tree.current;
  return {
    id, title: problem.title, tree, start, side: start.toPlay,
    play: (point) => {
      tree.play(point);
      const isRight = (!problem.right.length || problem.right.includes(point)) && !problem.wrong.includes(point);
      return { state: isRight ? 'right' : 'wrong', isKnown: isRight, refutation: [] };
    },
    answer: () => problem.right.slice(0, 1),
    reset: () => { tree.current = start; },
  };
}

/**
 * A game of a file: its variations say what is right. None if nobody moves in it.
 * @param {string} id
 * @param {string} title
 * @param {Tree} told
 * @returns {Exercise | null}
 */
export function ofTree(id, title, told) {
  const tree = GameTree.of(told);
  let start = tree.root;
  while (start.children[0] && start.children[0].last === null) [start] = start.children;
  if (!start.children.length) return null;
  const known = new Set(tree.nodes);
  const hasRight = tree.nodes.some((node) => node.isRight);
  const side = start.toPlay;

  /** Whether the file calls the line to this node, which ends here, right. @param {GameNode} node */
  function isRight(node) {
    const line = tree.pathTo(node);
    if (line.some((at) => at.isRight)) return true;
    // Nothing is marked as right: the main line is.
    return !hasRight && line.every((at) => at.isRight !== false && (!at.parent || at.parent.children[0] === at));
  }

  /** The main moves after a node. @param {GameNode} node */
  function after(node) {
    const line = [];
    for (let at = node.children[0]; at && at.last !== null; at = at.children[0]) line.push(at.last);
    return line;
  }

  return {
    id, title, tree, start, side,
    play: (point) => {
      let node = tree.play(point);
      if (!known.has(node)) return { state: 'wrong', isKnown: false, refutation: [] };
      if (node.isRight) return { state: 'right', isKnown: true, refutation: [] };
      if (node.isRight === false) return { state: 'wrong', isKnown: node.children.length > 0, refutation: after(node) };
      const reply = node.children.find((child) => child.last !== null);
      if (reply) node = tree.current = reply;
      if (node.children.length && node.isRight === null) return { state: 'open', isKnown: true, refutation: [] };
      return { state: isRight(node) ? 'right' : 'wrong', isKnown: true, refutation: [] };
    },
    answer: () => {
      const marked = tree.nodes.find((node) => node.isRight && known.has(node));
      if (marked) return tree.pathTo(marked).slice(tree.pathTo(start).length).flatMap((node) => (node.last === null ? [] : [node.last]));
      return after(start);
    },
    reset: () => {
      start.children = start.children.filter((child) => known.has(child));
      tree.current = start;
    },
  };
}
