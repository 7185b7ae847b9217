// Names of Tengen's levels.

import { isKey, t } from './lang.js';
import { shared } from './shared.js';

/**
 * The levels of an opponent with a network, or without.
 * @param {string | null} net
 */
export function levelsOf(net) {
  return (net ? shared.welcome?.net_levels : shared.welcome?.levels) ?? [];
}

/**
 * What a level is called.
 * @param {number} number From 1.
 * @param {string | null} net
 */
export function levelName(number, net) {
  const level = levelsOf(net)[number - 1];
  if (net) return level ? effort(number, net) : '';
  const key = `level.${number}`;
  return isKey(key) ? t(key) : level?.name ?? '';
}

/**
 * What a level takes for a move.
 * @param {number} number
 * @param {string | null} net
 */
export function effort(number, net) {
  const level = levelsOf(net)[number - 1];
  if (!level) return '';
  if (!level.playouts) return t('level.seconds', { n: level.seconds });
  return t(net ? 'level.visits' : level.wavers ? 'level.wavering' : 'level.playouts', { n: level.playouts });
}

/**
 * Who plays for Tengen, in a few words.
 * @param {number} number
 * @param {string | null} net
 */
export function opponent(number, net) {
  const name = levelName(number, net);
  return net ? `${net}, ${name}` : t('level.numbered', { number, name });
}
