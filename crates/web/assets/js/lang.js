// The page's words in the visitor's language. Each language is one file of lang/, and English has every key.
//
// t('play.move', { n: 3, of: 12 }) puts values into the places in braces. A text with | has two forms: the first for one
// thing, the second for any other number, which is `n`.

import en from '../lang/en.js';
import { recall, remember } from './memory.js';

/** @typedef {keyof typeof en} Key */
/** @typedef {Record<Key, string>} Words */

/** The languages by the names that their speakers give them. */
export const LANGUAGES = { en: 'English', zh: '简体中文', ja: '日本語', ko: '한국어' };
/** @typedef {keyof typeof LANGUAGES} Language */

/** @type {Record<Exclude<Language, 'en'>, () => Promise<{default: Words}>>} */
const others = {
  zh: () => import('../lang/zh.js'),
  ja: () => import('../lang/ja.js'),
  ko: () => import('../lang/ko.js'),
};

/** @param {string} code @returns {code is Language} */
function isKnown(code) {
  return code in LANGUAGES;
}

/** The language that was chosen here, or else the first of the browser's that the page speaks. @returns {Language} */
function wanted() {
  const codes = [recall('language', ''), ...(globalThis.navigator?.languages ?? []).map((code) => code.slice(0, 2).toLowerCase())];
  return codes.find(isKnown) ?? 'en';
}

export const language = wanted();
/** A file that does not come is no reason not to play. @type {Words} */
const words = language === 'en' ? en : await others[language]().then((file) => file.default, () => en);
// Tests of the page's logic have no document.
if (globalThis.document) document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;

/**
 * Chooses a language; the page is opened anew in it.
 * @param {string} code
 */
export function speak(code) {
  remember('language', code);
  location.reload();
}

/**
 * A text in the visitor's language.
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const forms = words[key].split('|');
  const form = forms[values.n === 1 ? 0 : forms.length - 1];
  return form.replace(/\{(\w+)\}/g, (place, name) => {
    const value = values[name];
    return value === undefined ? place : typeof value === 'number' && Number.isInteger(value) ? count(value) : String(value);
  });
}

/** Whether English has such a key, which is made of something that the server told. @param {string} key @returns {key is Key} */
export function isKey(key) {
  return Object.hasOwn(en, key);
}

/**
 * A number with a thin blank between thousands: 12 345.
 * @param {number} n
 */
export function count(n) {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/**
 * Puts words into the parts of the page that are there from the start: `data-t` names the text, `data-t-title` the title and
 * the name for screen readers.
 * @param {ParentNode} root
 */
export function translate(root) {
  for (const element of root.querySelectorAll('[data-t], [data-t-title]')) {
    const { t: text, tTitle: title } = /** @type {HTMLElement} */ (element).dataset;
    if (text && isKey(text)) element.textContent = t(text);
    if (title && isKey(title)) {
      element.setAttribute('title', t(title));
      element.setAttribute('aria-label', t(title));
    }
  }
}
