// What reports say of a game: values as Black sees them, and the moves that cost most.

/** @import { Report } from './types.js' */
/** @import { GameNode } from './gametree.js' */

/** Moves that are marked at most. */
const N_WORST = 10;

/** How often Black is expected to win. @param {Report} report */
export function blackWin(report) {
  return report.to_play === 'black' ? report.win : 1 - report.win;
}

/** 12 345 as 12k. @param {number} n */
export function short(n) {
  return n < 1000 ? String(n) : n < 10_000 ? `${(n / 1000).toFixed(1)}k` : `${Math.round(n / 1000)}k`;
}

/**
 * Probabilities of moves as a heat map: the square root lets the less likely be seen as well.
 * @param {number[]} policy
 * @returns {import('./board.js').Heat[]}
 */
export function policyHeat(policy) {
  const most = Math.max(...policy, 1e-6);
  return policy.flatMap((p, point) => (p < 0.002 ? [] : [{
    point, value: Math.sqrt(p / most), text: p < 0.01 ? undefined : String(Math.round(100 * p)),
  }]));
}

/** @typedef {{win: number, score: number} | null} Value */

/**
 * Playouts favour whoever is to move, always by about as much. Half of the usual step is taken off each value, so that
 * what is left is what the moves were worth.
 * @param {GameNode[]} line
 * @returns {Value[]}
 */
export function levelled(line) {
  const sign = (/** @type {GameNode} */ node) => (node.toPlay === 'black' ? 1 : -1);
  const step = (/** @type {'win' | 'score'} */ key) => {
    const steps = line.flatMap((node, ply) => {
      const next = line[ply + 1];
      return node.value && next?.value && next.toPlay !== node.toPlay ? [sign(node) * (node.value[key] - next.value[key])] : [];
    }).sort((a, b) => a - b);
    // A few values do not say what is usual.
    return steps.length < 4 ? 0 : Math.max(0, steps[Math.floor(steps.length / 2)]);
  };
  const [win, score] = [step('win') / 2, step('score') / 2];
  return line.map((node) => node.value && {
    win: Math.min(1, Math.max(0, node.value.win - sign(node) * win)), score: node.value.score - sign(node) * score,
  });
}

/**
 * The moves that a review called mistakes, the most costly one first; then those that it is unsure of.
 * @param {GameNode[]} line
 */
export function worstOf(line) {
  const isUnsure = (/** @type {GameNode} */ node) => node.review?.verdict === 'unsure';
  const worst = line.flatMap((node, ply) => (node.review ? [{ ply, loss: node.review.loss[0], isUnsure: isUnsure(node), review: node.review }] : []));
  return worst.sort((a, b) => Number(a.isUnsure) - Number(b.isUnsure) || b.loss - a.loss).slice(0, N_WORST);
}
