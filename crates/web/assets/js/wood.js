// The look of wood and stones. The grain is drawn once, as lines that wander a little; the same ones every time.

import { s } from './dom.js';

/** Gradients that stones and wood are filled with. All boards of a page share their names and looks. */
export function defs() {
  return s('defs', {},
    gradient('stone-black', [[0, '#77777d'], [0.28, '#3b3b40'], [0.75, '#17171a'], [1, '#09090b']]),
    gradient('stone-white', [[0, '#ffffff'], [0.55, '#f6f3ec'], [0.85, '#ddd7ca'], [1, '#c4bcac']]),
    s('linearGradient', { id: 'wood', x1: 0, y1: 0, x2: 1, y2: 0.25 },
      stop(0, '#e3b878'), stop(0.35, '#dcae69'), stop(0.7, '#e1b573'), stop(1, '#d6a65f')));
}

/**
 * @param {string} id
 * @param {[number, string][]} stops
 */
function gradient(id, stops) {
  return s('radialGradient', { id, cx: 0.36, cy: 0.3, r: 0.78 }, stops.map(([offset, color]) => stop(offset, color)));
}

/**
 * @param {number} offset
 * @param {string} color
 */
function stop(offset, color) {
  return s('stop', { offset, 'stop-color': color });
}

/**
 * The grain of a board of this size.
 * @param {number} width
 * @param {number} height
 */
export function grain(width, height) {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const group = s('g', { class: 'grain', 'aria-hidden': 'true' });
  const n = Math.round(width / 7);
  for (let idx = 0; idx < n; idx++) {
    let x = ((idx + random()) / n) * width;
    let path = `M${x.toFixed(1)} 0`;
    for (let y = 0; y < height; y += height / 4) {
      const bend = (random() - 0.5) * 9;
      path += `Q${(x + bend).toFixed(1)} ${(y + height / 8).toFixed(1)} ${(x += (random() - 0.5) * 5).toFixed(1)} ${(y + height / 4).toFixed(1)}`;
    }
    group.append(s('path', { d: path, 'stroke-width': (0.4 + 1.6 * random()).toFixed(2), opacity: (0.05 + 0.13 * random()).toFixed(3) }));
  }
  return group;
}
