// What reports say of a game: values as Black sees them, and the moves that cost most.

/** @import { Arm, Report } from './types.js' */
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

/** @typedef {'win' | 'score'} Measure What moves are measured by: share of wins, or points. */

/** Losses from which on a move is of the next grade. @type {Record<Measure, number[]>} */
const GRADES = { win: [0.01, 0.03, 0.08], score: [0.3, 1, 3] };

/**
 * What a move costs beside the best one, as its player sees it; points where both are known.
 * @param {Arm} arm
 * @param {Arm} best
 * @param {Measure} measure
 */
export function lossOf(arm, best, measure) {
  const isKnown = measure === 'score' && arm[7] !== null && best[7] !== null;
  return isKnown ? Math.max(0, Number(best[7]) - Number(arm[7])) : Math.max(0, best[3] - arm[3]);
}

/**
 * The grade of a loss: 0, hardly any, to 3, a mistake.
 * @param {number} loss
 * @param {Measure} measure
 */
export function gradeOf(loss, measure) {
  return GRADES[measure].filter((from) => loss >= from).length;
}

/** +1.5, −2.0, −12: as short as a stone is wide. @param {number} x */
export function signed(x) {
  const text = Math.abs(x).toFixed(Math.abs(x) < 9.95 ? 1 : 0);
  return Number(text) === 0 ? '0' : `${x < 0 ? '−' : '+'}${text}`;
}

/**
 * What the board shows of the moves of a report.
 * @param {Report} report
 * @param {Measure} measure
 * @returns {import('./board.js').Candidate[]}
 */
export function candidatesOf(report, measure) {
  const best = report.arms.find((arm) => arm[0] === report.choice) ?? report.arms[0];
  const most = Math.max(1, ...report.arms.map((arm) => arm[1]));
  return report.arms.slice(0, 12).filter((arm) => arm[1] >= 0.015 * most).map((arm) => {
    const isScore = measure === 'score' && arm[7] !== null && best[7] !== null;
    return {
      point: arm[0], title: isScore ? signed(Number(arm[7])) : String(Math.round(100 * arm[3])), note: short(arm[1]),
      isBest: arm === best, share: arm[1] / most, grade: gradeOf(lossOf(arm, best, measure), isScore ? 'score' : 'win'),
    };
  });
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
