// Comments, names and marks of a node: shown, and changed.

import { fill, h } from './dom.js';
import { freeNumber } from './gametree.js';
import { t } from './lang.js';

/** @import { Markup } from './types.js' */
/** @import { GameNode, GameTree } from './gametree.js' */
/** @import { Key } from './lang.js' */
/** @typedef {import('./board.js').Mark} Mark */

/** What a click on the board does, its sign and its name. @type {[Tool, string, Key][]} */
const TOOLS = [
  ['play', '●', 'mark.play'], ['triangle', '△', 'mark.triangle'], ['square', '□', 'mark.square'], ['circle', '○', 'mark.circle'],
  ['cross', '✕', 'mark.cross'], ['letter', 'A', 'mark.letter'], ['number', '1', 'mark.number'], ['selected', '◉', 'mark.selected'],
  ['black_territory', '◼', 'mark.black-territory'], ['white_territory', '◻', 'mark.white-territory'],
];
/** @typedef {'play' | 'letter' | 'number' | Exclude<keyof Markup, 'labels'>} Tool */

/** Shapes on the board by the marks of a record. @type {[Exclude<keyof Markup, 'labels'>, Mark['kind'], string][]} */
const SHAPES = [
  ['triangle', 'triangle', ''], ['square', 'square', ''], ['circle', 'ring', ''], ['cross', 'cross', ''], ['selected', 'selected', ''],
  ['black_territory', 'dot', 'territory black'], ['white_territory', 'dot', 'territory white'],
];

/**
 * What the board shows of a node's marks.
 * @param {Markup} marks
 * @returns {Mark[]}
 */
export function marksOf(marks) {
  return [
    ...SHAPES.flatMap(([key, kind, tone]) => (marks[key] ?? []).map((point) => ({ point, kind, tone }))),
    ...(marks.labels ?? []).map(([point, text]) => ({ point, kind: /** @type {const} */ ('label'), text })),
  ];
}

/**
 * The card in which a node is written on.
 * @param {(key: 'comment' | 'name', text: string) => void} write
 */
export function marking(write) {
  /** @type {Tool} */
  let tool = 'play';
  const buttons = h('div', { class: 'tools-row row', role: 'group', 'aria-label': t('mark.tools') });
  const name = h('input', { type: 'text', id: 'node-name', 'aria-label': t('mark.name'), placeholder: t('mark.name'), maxLength: 200, oninput: () => write('name', name.value) });
  const comment = h('textarea', { id: 'comment', rows: 3, 'aria-label': t('mark.comment'), placeholder: t('mark.comment'), oninput: () => write('comment', comment.value) });
  const element = h('div', { class: 'marking' }, buttons, name, comment);

  /** @param {Tool} next */
  function choose(next) {
    tool = next;
    fill(buttons, TOOLS.map(([key, sign, label]) => h('button', {
      type: 'button', title: t(label), 'aria-label': t(label), 'aria-pressed': key === tool, 'data-tool': key,
      onclick: () => {
        choose(key);
        /** @type {HTMLElement | null} */ (buttons.querySelector(`[data-tool=${key}]`))?.focus();
      },
    }, sign)));
  }
  choose('play');

  return {
    element,
    isPlaying: () => tool === 'play',
    /** Back to playing; false if that was chosen already. */
    reset: () => {
      const wasOther = tool !== 'play';
      choose('play');
      return wasOther;
    },
    /** @param {GameNode} node */
    show: (node) => {
      if (comment.value !== node.comment) comment.value = node.comment;
      if (name.value !== node.name) name.value = node.name;
    },
    /**
     * Marks a point as the tool says; false if moves are played.
     * @param {GameTree} tree
     * @param {number} point
     */
    mark: (tree, point) => {
      if (tool === 'play') return false;
      const labels = (tree.current.marks.labels ?? []).map(([, text]) => text);
      if (tool === 'letter') tree.mark('labels', point);
      else if (tool === 'number') tree.mark('labels', point, freeNumber(labels));
      else tree.mark(tool, point);
      return true;
    },
  };
}
