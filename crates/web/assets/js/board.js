// The board: wood, lines, stones, and whatever is to be shown on them.

import { h, s, say } from './dom.js';
import { t } from './lang.js';
import { hoshi, letter, name, title } from './rules.js';
import { defs, grain } from './wood.js';

/** @import { Side } from './types.js' */

/** Units of the drawing between two lines. */
const CELL = 40;

/** Units between the edge of the wood and the first line. @param {number} side */
function edgeOf(side) {
  return side < 12 ? 36 : side < 16 ? 40 : 46;
}

/** @typedef {{point: number, color?: Side | null, text?: string, faint?: boolean}} Ghost A stone that is not there. */
/** @typedef {{point: number, kind: 'cross' | 'ring' | 'square' | 'triangle' | 'star' | 'dot' | 'selected' | 'next' | 'label', tone?: string, text?: string}} Mark */
/** @typedef {{point: number, title: string, note: string, isBest?: boolean, share: number, grade: number}} Candidate A grade from 0, as good as the best, to 3. */
/** @typedef {{point: number, value: number, text?: string}} Heat A value 0..=1 and what stands there. */

/**
 * What a board shows.
 * @typedef {object} Picture
 * @property {number} width
 * @property {number} height
 * @property {string} stones
 * @property {number | null} [last]
 * @property {Side | null} [hover] Whose stone is shown under the pointer; none: nobody may play.
 * @property {number[]} [dead]
 * @property {string} [owners] Who each point counts for.
 * @property {number[]} [ownership] Who owns each point: from −100, White, to 100, Black.
 * @property {Heat[]} [heat]
 * @property {Candidate[]} [candidates]
 * @property {Ghost[]} [ghosts]
 * @property {{point: number, radius: number}[]} [areas] Where to look: around a point, with a radius in lines.
 * @property {Mark[]} [marks]
 * @property {string} [label] For screen readers.
 */

/**
 * @typedef {object} Listeners
 * @property {(point: number) => void} [play]
 * @property {(point: number | null) => void} [hover]
 */

export class Board {
  /** @param {Listeners} [listeners] */
  constructor(listeners = {}) {
    this.listeners = listeners;
    /** @type {Picture} */
    this.picture = { width: 0, height: 0, stones: '' };
    /** @type {(SVGElement | null)[]} */
    this.stoneElements = [];
    this.drawn = '';
    this.edge = 0;
    /** @type {number | null} */
    this.pointed = null;
    /** @type {number | null} */
    this.cursor = null;
    this.below = s('g', {});
    this.stones = s('g', {});
    this.above = s('g', {});
    this.pointer = s('g', { class: 'pointer' });
    this.svg = s('svg', {
      class: 'goban', tabindex: 0, role: 'application', 'aria-roledescription': t('board.name'), 'aria-label': t('board.name'),
    });
    /** Whether the focus came with a click; then the arrows go from move to move, not from point to point. */
    this.isByPointer = false;
    this.said = h('p', { class: 'note', role: 'status', 'aria-live': 'polite', hidden: true });
    this.saying = 0;
    this.element = h('div', { class: 'board' }, this.svg, this.said);
    this.listen();
  }

  /** @param {Picture} picture */
  show(picture) {
    const before = this.picture;
    this.picture = picture;
    if (before.width !== picture.width || before.height !== picture.height) this.lay();
    this.placeStones();
    this.drawBelow();
    this.drawAbove();
    this.drawPointer();
    this.svg.classList.toggle('playable', Boolean(picture.hover));
    this.svg.setAttribute('aria-label', picture.label ?? this.describe());
  }

  /**
   * Says something on the board for a while; nothing takes back what was said.
   * @param {string} text
   */
  note(text) {
    clearTimeout(this.saying);
    this.said.textContent = text;
    this.said.hidden = text === '';
    if (text) this.saying = setTimeout(() => this.note(''), 4000);
  }

  describe() {
    const { width, height, last, hover } = this.picture;
    const parts = [t('board.size', { width, height })];
    if (last !== undefined && last !== null) parts.push(t('board.last', { point: name(width, height, last) }));
    if (hover) parts.push(t('board.to-play', { color: title(hover) }));
    return parts.join(' ');
  }

  /** @param {number} point */
  x(point) {
    return this.edge + (point % this.picture.width) * CELL;
  }

  /** @param {number} point */
  y(point) {
    return this.edge + Math.floor(point / this.picture.width) * CELL;
  }

  /** Draws what does not change: wood, lines, coordinates. */
  lay() {
    const { width, height } = this.picture;
    const EDGE = edgeOf(Math.max(width, height));
    this.edge = EDGE;
    const font = EDGE < 40 ? 11 : 14;
    const [right, bottom] = [EDGE + (width - 1) * CELL, EDGE + (height - 1) * CELL];
    const [w, hgt] = [right + EDGE, bottom + EDGE];
    let lines = '';
    for (let column = 0; column < width; column++) lines += `M${EDGE + column * CELL} ${EDGE}V${bottom}`;
    for (let row = 0; row < height; row++) lines += `M${EDGE} ${EDGE + row * CELL}H${right}`;
    const labels = [];
    for (let column = 0; column < width; column++) {
      const x = EDGE + column * CELL;
      labels.push(s('text', { x, y: font + 3 }, letter(column)), s('text', { x, y: hgt - 5 }, letter(column)));
    }
    for (let row = 0; row < height; row++) {
      const y = EDGE + row * CELL + 0.36 * font;
      labels.push(s('text', { x: 0.8 * font, y }, height - row), s('text', { x: w - 0.8 * font, y }, height - row));
    }
    const stars = hoshi(width, height).map((point) => s('circle', { cx: this.x(point), cy: this.y(point), r: 4 }));
    this.svg.setAttribute('viewBox', `0 0 ${w} ${hgt}`);
    this.svg.dataset.edge = String(EDGE);
    this.svg.replaceChildren(
      defs(),
      s('rect', { class: 'wood', width: w, height: hgt, rx: 6 }),
      grain(w, hgt),
      s('rect', { class: 'frame', x: EDGE, y: EDGE, width: right - EDGE, height: bottom - EDGE }),
      s('path', { class: 'lines', d: lines }),
      s('g', { class: 'stars' }, stars),
      s('g', { class: 'coordinates', 'aria-hidden': 'true', 'font-size': font }, labels),
      this.below, this.stones, this.above, this.pointer,
    );
    this.stones.replaceChildren();
    this.stoneElements = new Array(width * height).fill(null);
    this.drawn = '.'.repeat(width * height);
    this.cursor = null;
    this.pointed = null;
  }

  /** Puts stones on and takes them off, where something has changed. */
  placeStones() {
    const { stones } = this.picture;
    const dead = new Set(this.picture.dead ?? []);
    for (let point = 0; point < stones.length; point++) {
      const element = this.stoneElements[point];
      if (stones[point] !== this.drawn[point]) {
        element?.remove();
        this.stoneElements[point] = null;
        if (stones[point] !== '.') {
          const stone = this.stone(point, stones[point] === 'X' ? 'black' : 'white', 'stone');
          this.stones.append(stone);
          this.stoneElements[point] = stone;
        }
      }
      this.stoneElements[point]?.classList.toggle('dead', dead.has(point));
    }
    this.drawn = stones;
    this.svg.dataset.stones = stones;
  }

  /**
   * @param {number} point
   * @param {Side} color
   * @param {string} kind
   */
  stone(point, color, kind) {
    const [cx, cy] = [this.x(point), this.y(point)];
    return s('g', { class: `${kind} ${color}` },
      s('circle', { class: 'shadow', cx: cx + 1.5, cy: cy + 2.5, r: 18.6 }),
      s('circle', { class: 'body', cx, cy, r: 18.6, fill: `url(#stone-${color})` }));
  }

  /** What lies under the stones: ownership and heat. */
  drawBelow() {
    const { ownership = [], heat = [] } = this.picture;
    const items = [];
    for (let point = 0; point < ownership.length; point++) {
      const strength = Math.abs(ownership[point]) / 100;
      if (strength < 0.12 || this.picture.stones[point] !== '.') continue;
      const side = 6 + 30 * strength;
      items.push(s('rect', {
        class: ownership[point] > 0 ? 'owner black' : 'owner white', opacity: (0.12 + 0.55 * strength).toFixed(2),
        x: this.x(point) - side / 2, y: this.y(point) - side / 2, width: side, height: side, rx: 3,
      }));
    }
    for (const { point, value } of heat) {
      if (point < 0) continue;
      items.push(s('rect', {
        class: 'heat', x: this.x(point) - 19, y: this.y(point) - 19, width: 38, height: 38, rx: 4,
        fill: heatColor(value), opacity: (0.25 + 0.7 * value).toFixed(2),
      }));
    }
    this.below.replaceChildren(...items);
  }

  /** What lies on the stones. */
  drawAbove() {
    const { picture } = this;
    /** @type {SVGElement[]} */
    const items = [];
    for (const { point, radius } of picture.areas ?? []) {
      if (point >= 0) items.push(s('circle', { class: 'look-here', cx: this.x(point), cy: this.y(point), r: radius * CELL }));
    }
    for (const { point, text } of picture.heat ?? []) {
      if (point >= 0 && text) items.push(this.text(point, text, 'heat-text'));
    }
    for (let point = 0; point < (picture.owners ?? '').length; point++) {
      const owner = picture.owners?.[point];
      const isCovered = picture.stones[point] !== '.' && !(picture.dead ?? []).includes(point);
      if (owner === '.' || isCovered) continue;
      items.push(s('rect', {
        class: `area ${owner === 'X' ? 'black' : 'white'}`, x: this.x(point) - 6, y: this.y(point) - 6, width: 12, height: 12, rx: 2,
      }));
    }
    // A stone on land of the other colour is likely lost, which a square in that colour tells.
    (picture.ownership ?? []).forEach((owner, point) => {
      const stone = picture.stones[point];
      if (Math.abs(owner) < 25 || stone === '.' || (stone === 'X') === (owner > 0)) return;
      const side = 6 + 0.14 * Math.abs(owner);
      items.push(s('rect', { class: `area ${owner > 0 ? 'black' : 'white'}`, x: this.x(point) - side / 2, y: this.y(point) - side / 2, width: side, height: side, rx: 2 }));
    });
    for (const point of picture.dead ?? []) items.push(this.mark({ point, kind: 'cross', tone: 'dead-mark' }));
    for (const candidate of picture.candidates ?? []) if (candidate.point >= 0) items.push(this.candidate(candidate));
    const { last } = picture;
    if (last !== undefined && last !== null && last >= 0) items.push(this.mark({ point: last, kind: 'ring', tone: 'last' }));
    for (const mark of picture.marks ?? []) if (mark.point >= 0) items.push(this.mark(mark));
    for (const ghost of picture.ghosts ?? []) if (ghost.point >= 0) items.push(this.ghost(ghost));
    this.above.replaceChildren(...items);
  }

  /** What a move costs is told by colour and by shape. @param {Candidate} candidate */
  candidate({ point, title, note, isBest, share, grade }) {
    const [cx, cy] = [this.x(point), this.y(point)];
    const look = { class: 'plate', opacity: isBest ? 1 : Math.max(0.6, Math.min(1, 0.6 + share)).toFixed(2) };
    const plate = grade < 2 ? s('circle', { ...look, cx, cy, r: 18.4 })
      : grade === 2 ? s('rect', { ...look, x: cx - 17, y: cy - 17, width: 34, height: 34, rx: 4 })
        : s('path', { ...look, d: `M${cx} ${cy - 20.5}L${cx + 20.5} ${cy}L${cx} ${cy + 20.5}L${cx - 20.5} ${cy}Z` });
    return s('g', { class: `candidate grade-${grade}${isBest ? ' best' : ''}` },
      plate,
      isBest ? s('circle', { class: 'best-ring', cx, cy, r: 18.4 }) : null,
      s('text', { class: title.length > 3 ? 'strong long' : 'strong', x: cx, y: cy + 0.5 }, title),
      s('text', { class: 'small', x: cx, y: cy + 11.5 }, note));
  }

  /** @param {Ghost} ghost */
  ghost({ point, color, text, faint }) {
    const group = s('g', { class: faint ? 'ghost faint' : 'ghost' });
    if (color) group.append(this.stone(point, color, 'stone'));
    if (text) group.append(this.text(point, text, `ghost-text ${color ?? ''}`));
    return group;
  }

  /**
   * @param {number} point
   * @param {string} text
   * @param {string} kind
   */
  text(point, text, kind) {
    return s('text', { class: kind, x: this.x(point), y: this.y(point) + 5 }, text);
  }

  /** @param {Mark} mark */
  mark({ point, kind, tone = '', text = '' }) {
    const [x, y] = [this.x(point), this.y(point)];
    const stone = this.picture.stones[point];
    const on = stone === 'X' ? 'on-black' : stone === 'O' ? 'on-white' : 'on-wood';
    const style = { class: `mark ${kind} ${tone} ${on}` };
    switch (kind) {
      case 'cross': return s('path', { ...style, d: `M${x - 8} ${y - 8}l16 16M${x + 8} ${y - 8}l-16 16` });
      case 'ring': return s('circle', { ...style, cx: x, cy: y, r: 9 });
      case 'dot': return s('circle', { ...style, cx: x, cy: y, r: 5 });
      case 'square': return s('rect', { ...style, x: x - 8, y: y - 8, width: 16, height: 16 });
      case 'triangle': return s('path', { ...style, d: `M${x} ${y - 10}l9 15.5h-18z` });
      case 'star': return s('path', { ...style, d: star(x, y) });
      case 'selected': return s('rect', { ...style, x: x - 6, y: y - 6, width: 12, height: 12, rx: 6 });
      // Around a candidate, so that both are seen.
      case 'next': return s('circle', { ...style, cx: x, cy: y, r: 20 });
      case 'label': return s('text', { ...style, x, y: y + 6, 'font-size': text.length > 3 ? 12 : text.length > 2 ? 14 : 17 }, text);
    }
  }

  /** The stone under the pointer and the keyboard's cursor. */
  drawPointer() {
    const { hover, stones } = this.picture;
    const items = [];
    if (hover && this.pointed !== null && stones[this.pointed] === '.') {
      items.push(this.stone(this.pointed, hover, 'stone hovering'));
    }
    if (this.cursor !== null && document.activeElement === this.svg) {
      items.push(s('rect', { class: 'cursor', x: this.x(this.cursor) - 19, y: this.y(this.cursor) - 19, width: 38, height: 38, rx: 5 }));
    }
    this.pointer.replaceChildren(...items);
  }

  /**
   * The point under an event, or none.
   * @param {PointerEvent | MouseEvent} event
   */
  at(event) {
    const matrix = this.svg.getScreenCTM();
    const { width, height } = this.picture;
    if (!matrix || !width) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [column, row] = [Math.round((x - this.edge) / CELL), Math.round((y - this.edge) / CELL)];
    return column < 0 || row < 0 || column >= width || row >= height ? null : row * width + column;
  }

  listen() {
    /** @param {number | null} point */
    const point = (point) => {
      if (point === this.pointed) return;
      this.pointed = point;
      this.drawPointer();
      this.listeners.hover?.(point);
    };
    this.svg.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'touch') point(this.at(event));
    });
    // A finger leaves with every tap, and the stone that it showed is to stay.
    this.svg.addEventListener('pointerleave', (event) => {
      if (event.pointerType !== 'touch') point(null);
    });
    this.svg.addEventListener('click', (event) => {
      const at = this.at(event);
      if (at === null) return;
      const isTouch = /** @type {PointerEvent} */ (event).pointerType === 'touch';
      // Fingers are wider than points: the first tap shows the stone, a second one says that it is meant.
      const { width, height, stones, hover } = this.picture;
      if (isTouch && hover && stones[at] === '.' && this.pointed !== at) {
        this.note(t('board.tap-again', { point: name(width, height, at) }));
        return point(at);
      }
      if (isTouch) point(null);
      this.note('');
      this.listeners.play?.(at);
    });
    this.svg.addEventListener('keydown', (event) => this.key(event));
    this.svg.addEventListener('pointerdown', () => { this.isByPointer = true; });
    this.svg.addEventListener('focus', () => this.drawPointer());
    this.svg.addEventListener('blur', () => {
      this.isByPointer = false;
      this.drawPointer();
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { width, height, stones } = this.picture;
    const moves = new Map([['ArrowLeft', [-1, 0]], ['ArrowRight', [1, 0]], ['ArrowUp', [0, -1]], ['ArrowDown', [0, 1]]]);
    const move = moves.get(event.key);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (move && this.cursor === null && this.isByPointer) return;
    if (move && this.cursor === null && !event.shiftKey) {
      this.cursor = Math.floor(height / 2) * width + Math.floor(width / 2);
    } else if (move && this.cursor !== null) {
      const column = Math.min(width - 1, Math.max(0, (this.cursor % width) + move[0]));
      const row = Math.min(height - 1, Math.max(0, Math.floor(this.cursor / width) + move[1]));
      this.cursor = row * width + column;
    } else if ((event.key === 'Enter' || event.key === ' ') && this.cursor !== null) {
      this.note('');
      this.listeners.play?.(this.cursor);
    } else if (event.key === 'Escape' && this.cursor !== null) {
      this.cursor = null;
      this.svg.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
    if (this.cursor !== null && move) {
      const stone = stones[this.cursor];
      const key = stone === 'X' ? 'board.black' : stone === 'O' ? 'board.white' : 'board.empty';
      say(t(key, { point: name(width, height, this.cursor) }));
      this.listeners.hover?.(this.cursor);
    }
    this.drawPointer();
  }
}

/**
 * From pale yellow over orange and purple to deep blue: its lightness falls all the way, so it is read without colours.
 * @param {number} value 0..=1
 */
export function heatColor(value) {
  const stops = [[252, 244, 190], [246, 180, 80], [214, 84, 82], [120, 38, 110], [30, 14, 60]];
  const at = Math.min(0.9999, Math.max(0, value)) * (stops.length - 1);
  const [low, part] = [Math.floor(at), at % 1];
  const mix = [0, 1, 2].map((idx) => Math.round(stops[low][idx] + part * (stops[low + 1][idx] - stops[low][idx])));
  return `rgb(${mix.join(',')})`;
}

/**
 * @param {number} x
 * @param {number} y
 */
function star(x, y) {
  let path = '';
  for (let idx = 0; idx < 10; idx++) {
    const [radius, angle] = [idx % 2 ? 5 : 12, (Math.PI * idx) / 5 - Math.PI / 2];
    path += `${idx ? 'L' : 'M'}${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * Math.sin(angle)).toFixed(1)}`;
  }
  return `${path}Z`;
}
