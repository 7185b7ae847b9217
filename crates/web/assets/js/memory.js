// What this browser remembers of the page.

/**
 * Remembers a value in this browser.
 * @param {string} key
 * @param {unknown} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(`tengen.${key}`, JSON.stringify(value));
  } catch {
    // A browser that remembers nothing still plays.
  }
}

/**
 * What was remembered, or the given value.
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function recall(key, otherwise) {
  try {
    const text = localStorage.getItem(`tengen.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}
