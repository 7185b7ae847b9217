// What views hand over to each other.

/** @import { Game, Spot, Tree, Welcome } from './types.js' */
import { on } from './link.js';

/**
 * @typedef {object} Shared
 * @property {Welcome | null} welcome
 * @property {Game | null} game The game in Play.
 * @property {Spot | null} spot The position in Analyse.
 * @property {{spot?: Spot, tree?: Tree, players: [string, string], result: string} | null} toAnalyse What Analyse is to open.
 */

/** @type {Shared} */
export const shared = { welcome: null, game: null, spot: null, toAnalyse: null };

/** Numbers of questions are never used twice, over all views. */
let lastNumber = Date.now();
export function newNumber() {
  return (lastNumber += 1);
}

// Views that are opened later find here what was told before.
on('welcome', (message) => {
  shared.welcome = message;
});
on('game', (message) => {
  shared.game = message;
});
