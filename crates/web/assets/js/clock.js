// Clocks as they are shown: the server counts, the page only tells the time since.

/** @import { Clock, Game, Side } from './types.js' */

// When the clock that is shown was told.
/** @type {{clock: Clock | null, at: number}} */
let told = { clock: null, at: 0 };

/**
 * Seconds left and periods left of one side now.
 * @param {Clock} clock
 * @param {Side} side
 */
function left(clock, side) {
  if (told.clock !== clock) told = { clock, at: performance.now() };
  const idx = side === 'black' ? 0 : 1;
  let seconds = clock.left[idx];
  let periods = clock.overtime[idx];
  if (clock.running === side) seconds -= (performance.now() - told.at) / 1000;
  while (seconds < 0 && periods !== 1 && clock.terms.periods > 0 && clock.terms.period > 0) {
    periods = periods === 0 ? clock.terms.periods : periods - 1;
    seconds += clock.terms.period;
  }
  return { seconds: Math.max(0, seconds), periods };
}

/**
 * `12:05`, or `0:21 (3)` with three periods left.
 * @param {Clock} clock
 * @param {Side} side
 */
export function clockText(clock, side) {
  const { seconds, periods } = left(clock, side);
  const whole = Math.ceil(seconds);
  const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
  return periods ? `${text} (${periods})` : text;
}

/**
 * Lets the clock run on the screen.
 * @param {() => Game | null} game
 * @param {() => void} flag Somebody's time is over.
 * @param {() => void} draw
 */
export function watchClock(game, flag, draw) {
  /** @type {Clock | null} */
  let flagged = null;
  setInterval(() => {
    const clock = game()?.clock;
    if (!clock?.running) return;
    draw();
    if (left(clock, clock.running).seconds <= 0 && flagged !== clock) {
      flagged = clock;
      flag();
    }
  }, 250);
}
