// Small helpers to make elements. Text is always set as text, never as markup.

import { t } from './lang.js';
import { recall, remember } from './memory.js';

export { count } from './lang.js';
export { recall, remember } from './memory.js';

/** @typedef {string | number | Node | null | undefined | false} Child */

/** What is no property, or one of another name. */
const ATTRIBUTES = new Set(['role', 'for', 'list', 'tabindex']);

/**
 * Makes an HTML element with properties, attributes and children. `on…` are listeners, `class` is the class, `data-…`,
 * `aria-…` and a few others are attributes, everything else a property.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, props = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'class') element.className = value;
    else if (key.includes('-') || ATTRIBUTES.has(key)) element.setAttribute(key, String(value));
    else /** @type {any} */ (element)[key] = value;
  }
  fill(element, ...children);
  return element;
}

/**
 * Makes an SVG element with attributes and children.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number | undefined | null>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(name, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) element.setAttribute(key, String(value));
  }
  for (const child of children.flat()) append(element, child);
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  for (const child of children.flat()) append(element, child);
}

/**
 * @param {Element} element
 * @param {Child} child
 */
function append(element, child) {
  if (child === null || child === undefined || child === false) return;
  element.append(child instanceof Node ? child : String(child));
}

/**
 * Makes the children of an element like these. What is there already stays and is only changed, so that something drawn
 * many times a second can still be clicked and keeps the focus. Listeners are not changed: they belong further up.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function renew(element, ...children) {
  const wanted = /** @type {Element} */ (element.cloneNode(false));
  fill(wanted, ...children);
  liken(element, wanted);
}

/**
 * @param {Element} element
 * @param {Element} wanted
 */
function liken(element, wanted) {
  for (const { name } of [...element.attributes]) if (!wanted.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of wanted.attributes) {
    if (element.getAttribute(name) === value) continue;
    // Pages of ours may not have styles in attributes.
    if (name === 'style') /** @type {any} */ (element).style.cssText = value;
    else element.setAttribute(name, value);
  }
  const children = [...wanted.childNodes];
  children.forEach((child, idx) => {
    const old = element.childNodes[idx];
    if (!old) element.append(child);
    else if (old instanceof Element && child instanceof Element && old.nodeName === child.nodeName) liken(old, child);
    else if (old instanceof Text && child instanceof Text) {
      if (old.data !== child.data) old.data = child.data;
    } else old.replaceWith(child);
  });
  while (element.childNodes.length > children.length) element.lastChild?.remove();
}

/**
 * The number that the part of a list under an event has in `data-KEY`.
 * @param {Event} event
 * @param {string} key
 */
export function numberAt(event, key) {
  const part = event.target instanceof Element ? event.target.closest(`[data-${key}]`) : null;
  return part ? Number(part.getAttribute(`data-${key}`)) : null;
}

/**
 * The element of this id, which the page has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/**
 * Says something to screen readers.
 * @param {string} text
 */
export function say(text) {
  byId('voice').textContent = text;
}

/** @type {number | undefined} */
let toastTimer;

/**
 * Shows a short message at the bottom.
 * @param {string} text
 */
export function toast(text) {
  const element = byId('toast');
  element.textContent = text;
  element.classList.add('shown');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => element.classList.remove('shown'), 5000);
}

/**
 * A function that does `draw` once before the next frame, however often it is called.
 * @param {() => void} draw
 */
export function everyFrame(draw) {
  let isComing = false;
  return () => {
    if (isComing) return;
    isComing = true;
    requestAnimationFrame(() => {
      isComing = false;
      draw();
    });
  };
}

/**
 * Gives the visitor a file.
 * @param {string} name
 * @param {string} text
 */
export function download(name, text) {
  const link = h('a', { download: name, href: URL.createObjectURL(new Blob([text], { type: 'application/x-go-sgf' })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Lets the visitor choose a file and reads it as base64.
 * @param {(base64: string, name: string) => void} then
 * @returns {HTMLInputElement}
 */
export function filePicker(then) {
  const input = h('input', {
    type: 'file',
    accept: '.sgf,application/x-go-sgf,text/plain',
    class: 'hidden-file',
    'aria-label': t('common.sgf-file'),
    onchange: async () => {
      const file = input.files?.[0];
      if (!file) return;
      if (file.size > 700_000) toast(t('common.file-too-large'));
      else then(base64(new Uint8Array(await file.arrayBuffer())), file.name);
      input.value = '';
    },
  });
  return input;
}

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function base64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/**
 * 0.534 as 53.4 %.
 * @param {number} x
 * @param {number} [digits]
 */
export function percent(x, digits = 1) {
  return `${(100 * x).toFixed(digits)}\u202f%`;
}

/**
 * Black's margin as `B+3.5`.
 * @param {number} margin
 */
export function margin(margin) {
  const text = Math.abs(margin).toFixed(1);
  return margin > 0 ? `B+${text}` : margin < 0 ? `W+${text}` : '0';
}

/**
 * A list of choices of which the chosen one is remembered.
 * @template {string} T
 * @param {string} key
 * @param {string} label
 * @param {[T, string][]} choices The first is taken if nothing is remembered.
 * @param {() => void} changed
 */
export function chooser(key, label, choices, changed) {
  const known = recall(key, choices[0][0]);
  const select = h('select', { id: key, 'aria-label': label, onchange: () => { remember(key, select.value); changed(); } },
    choices.map(([value, text]) => h('option', { value, selected: value === known }, text)));
  return { element: select, value: () => /** @type {T} */ (select.value) };
}

/**
 * Tells the style sheets how high the head of the page and what stays below it are, now and whenever that changes.
 * @param {Element} stage
 */
export function watchHeights(stage) {
  const head = document.querySelector('.top');
  if (!head) return;
  const watch = (/** @type {Element} */ element, /** @type {string} */ name) => new ResizeObserver(() => {
    const { height } = element.getBoundingClientRect();
    if (height) document.documentElement.style.setProperty(name, `${Math.round(height)}px`);
  }).observe(element);
  watch(head, '--head');
  watch(stage, '--stage');
}
