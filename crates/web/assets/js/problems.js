// Problems: find the move. The exercises of the program by theme, and those of a file; wrong moves are refuted.

import { Board } from './board.js';
import { fill, filePicker, h, recall, remember, toast, watchHeights } from './dom.js';
import { ofProblem, ofTree } from './exercise.js';
import { t } from './lang.js';
import { ask, on } from './link.js';
import { marksOf } from './marking.js';
import { PASS, name, other, title } from './rules.js';
import { newNumber, shared } from './shared.js';

/** @import { View } from './types.js' */
/** @import { Exercise, State } from './exercise.js' */
/** @import { Key } from './lang.js' */
/** @typedef {{name: string, isFile: boolean, exercises: Exercise[], isCut?: boolean}} Collection */

/** Simulations of a refutation. */
const REFUTATION = 3000;
/** @type {Record<string, Key>} */
const THEMES = {
  captures: 'topic.captures', snapback: 'topic.snapback', 'throw-in': 'topic.throw-in', edge: 'topic.edge', ladders: 'topic.ladders',
  nakade: 'topic.nakade', semeai: 'topic.semeai', seki: 'topic.seki', ko: 'topic.ko', endgame: 'topic.endgame',
};

/** @returns {View} */
export function problems() {
  /** What was solved and failed, by exercise. @type {Record<string, 'solved' | 'failed'>} */
  const progress = recall('problems', {});
  const saved = recall('problem', { set: 'captures', at: 0 });
  /** @type {Collection[]} */
  let collections = [];
  /** @type {Collection | null} */
  let collection = null;
  let at = 0;
  /** @type {State} */
  let state = 'open';
  /** Moves that are shown after the position: a refutation or the answer. @type {number[]} */
  let line = [];
  let isSearching = false;
  let showsAnswer = false;
  let number = 0;
  let opening = 0;
  let fileName = '';

  const board = new Board({ play });
  const status = h('p', { class: 'status', id: 'problem-status', role: 'status' });
  const about = h('p', { class: 'small quiet', id: 'problem-about' });
  const notice = h('p', { class: 'small quiet', id: 'problem-notice', role: 'status' });
  const heading = h('h2', { id: 'problem-title' });
  const place = h('span', { class: 'place num', id: 'problem-place' });
  const retry = button('problem-retry', t('problem.retry'), reset);
  const answer = button('problem-answer', t('problem.answer'), showAnswer);
  const pass = button('problem-pass', t('play.pass'), () => play(PASS));
  const study = button('problem-study', t('common.analyse'), toAnalysis);
  const next = h('button', { type: 'button', class: 'primary', id: 'problem-next', onclick: () => go(at + 1) }, t('problem.next'));
  const list = h('div', { class: 'themes' });
  const dots = h('div', { class: 'dots', role: 'group', 'aria-label': t('problem.list') });
  const picker = filePicker((sgf, file) => {
    opening = newNumber();
    fileName = file;
    ask('read-problems', { sgf, number: opening });
  });
  const stage = h('div', { class: 'stage' }, board.element,
    h('div', { class: 'steps', role: 'group', 'aria-label': t('problem.steps') },
      h('button', { type: 'button', title: t('problem.previous'), 'aria-label': t('problem.previous'), onclick: () => go(at - 1) }, '‹'), place,
      h('button', { type: 'button', title: t('problem.next'), 'aria-label': t('problem.next'), onclick: () => go(at + 1) }, '›')),
    status);
  const element = h('div', { class: 'view staged problems' }, stage,
    h('section', { class: 'panel', 'aria-label': t('tab.problems') },
      h('div', { class: 'card' }, heading, about, notice, h('div', { class: 'row' }, next, retry, answer, pass, study)),
      h('div', { class: 'card' }, h('h3', {}, t('problem.themes')), list, dots,
        h('div', { class: 'row' }, h('button', { type: 'button', onclick: () => picker.click() }, t('problem.open')), picker),
        h('p', { class: 'small quiet' }, t('problem.open-about')))));
  watchHeights(stage);

  on('welcome', () => { if (!collections.length) ask('problems'); });
  on('problems', ({ sets }) => {
    const built = sets.map(({ theme, problems }) => ({
      name: theme, isFile: false, exercises: problems.map((problem) => ofProblem(`${theme}/${problem.title}`, problem)),
    }));
    collections = [...built, ...collections.filter(({ isFile }) => isFile)];
    const wanted = collections.find(({ name }) => name === saved.set) ?? collections[0];
    if (!collection) choose(wanted, wanted.name === saved.set ? saved.at : 0);
    else draw();
  });
  on('problem-file', (file) => {
    if (file.number !== opening || !opening) return;
    opening = 0;
    const exercises = file.problems.flatMap((tree, idx) => {
      const exercise = ofTree(`${fileName}/${idx + 1}`, tree.name || t('problem.numbered', { number: idx + 1 }), tree);
      return exercise ? [exercise] : [];
    });
    if (!exercises.length) return toast(t('problem.none'));
    const opened = { name: fileName, isFile: true, exercises, isCut: file.is_cut };
    collections = [...collections.filter(({ name }) => name !== fileName), opened];
    choose(opened, 0);
  });
  on('report', (report) => {
    if (report.number !== number) return;
    if (!report.done && report.simulations < REFUTATION / 4) return;
    isSearching = !report.done;
    if (report.choice !== null) line = (report.lines[String(report.choice)] ?? [report.choice]).slice(0, 5);
    draw();
  });
  on('error', (fault) => {
    if (fault.ask !== 'study' || !isSearching) return;
    isSearching = false;
    // A move that the rules forbid was no try.
    if (fault.kind === 'illegal') reset();
    else draw();
  });

  /**
   * @param {string} id
   * @param {string} label
   * @param {() => void} onclick
   */
  function button(id, label, onclick) {
    return h('button', { type: 'button', id, onclick }, label);
  }

  /** @returns {Exercise | undefined} */
  function current() {
    return collection?.exercises[at];
  }

  /** @param {Collection} wanted @param {number} place */
  function choose(wanted, place) {
    collection = wanted;
    go(place);
  }

  /** @param {number} wanted */
  function go(wanted) {
    if (!collection) return;
    const n = collection.exercises.length;
    at = (wanted + n) % n;
    if (!collection.isFile) remember('problem', { set: collection.name, at });
    reset();
  }

  function reset() {
    stop();
    current()?.reset();
    state = 'open';
    line = [];
    showsAnswer = false;
    draw();
  }

  function stop() {
    if (isSearching) ask('stop');
    isSearching = false;
    number = 0;
  }

  /** @param {number} point */
  function play(point) {
    const exercise = current();
    if (!exercise || state !== 'open' || showsAnswer) return;
    if (point >= 0 && exercise.tree.current.stones[point] !== '.') return toast(t('board.occupied'));
    const outcome = exercise.play(point);
    state = outcome.state;
    line = outcome.refutation;
    if (state === 'right') progress[exercise.id] = 'solved';
    if (state === 'wrong' && progress[exercise.id] !== 'solved') progress[exercise.id] = 'failed';
    remember('problems', progress);
    if (state === 'wrong' && !outcome.isKnown) {
      number = newNumber();
      isSearching = true;
      ask('study', { number, spot: exercise.tree.spot(), recipes: ['default'], playouts: REFUTATION });
    }
    draw();
  }

  function showAnswer() {
    const exercise = current();
    if (!exercise) return;
    reset();
    showsAnswer = true;
    line = exercise.answer();
    draw();
  }

  function toAnalysis() {
    const exercise = current();
    if (!exercise) return;
    shared.toAnalyse = { spot: exercise.tree.spot(), players: ['', ''], result: '' };
    location.hash = 'analyse';
  }

  /** @param {Collection} collection */
  function label({ name, isFile }) {
    return !isFile && name in THEMES ? t(THEMES[name]) : name;
  }

  function draw() {
    const exercise = current();
    if (!collection || !exercise) return;
    const { tree, side } = exercise;
    const { stones, last, toPlay, marks, comment } = tree.current;
    const { width, height } = tree.base;
    const names = line.map((point) => name(width, height, point)).join(' ');
    board.show({
      width, height, stones, last,
      hover: state === 'open' && !showsAnswer ? toPlay : null,
      ghosts: line.map((point, idx) => ({ point, color: idx % 2 ? other(toPlay) : toPlay, text: String(idx + 1) })),
      marks: [...marksOf(marks), ...(last !== null && last >= 0 && state !== 'open' && tree.current !== exercise.start
        ? [{ point: last, kind: state === 'right' ? /** @type {const} */ ('ring') : /** @type {const} */ ('cross'), tone: state === 'right' ? 'better' : 'bad' }] : [])],
    });
    fill(heading, `${label(collection)} · ${exercise.title}`);
    status.dataset.state = showsAnswer ? 'answer' : isSearching ? 'searching' : state;
    status.className = `status ${state === 'right' ? 'good' : state === 'wrong' ? 'bad' : ''}${isSearching ? ' busy' : ''}`;
    status.textContent = showsAnswer ? t('problem.answer-is', { line: names })
      : state === 'right' ? `✓ ${t('problem.right')}`
        : state === 'wrong' ? `✗ ${isSearching ? t('problem.refuting') : names ? t('problem.wrong', { line: names }) : t('problem.wrong-bare')}`
          : tree.current === exercise.start ? t('problem.find', { color: title(side) }) : t('problem.go-on', { point: last === null ? '' : name(width, height, last) });
    about.textContent = comment;
    about.hidden = !comment;
    notice.textContent = collection.isCut ? t('problem.cut') : '';
    notice.hidden = !collection.isCut;
    const solved = (/** @type {Collection} */ of) => of.exercises.filter(({ id }) => progress[id] === 'solved').length;
    place.textContent = t('problem.place', { at: at + 1, of: collection.exercises.length });
    pass.disabled = state !== 'open' || showsAnswer;
    retry.disabled = state === 'open' && !showsAnswer && tree.current === exercise.start;
    fill(list, collections.map((one) => h('button', { type: 'button', 'aria-pressed': one === collection, onclick: () => choose(one, firstOpen(one)) },
      h('b', {}, label(one)), h('span', { class: 'quiet num' }, ` ${solved(one)}/${one.exercises.length}`))));
    fill(dots, collection.exercises.map(({ id }, idx) => h('button', {
      type: 'button', class: `dot ${progress[id] ?? ''}`, 'aria-current': idx === at ? 'true' : undefined, onclick: () => go(idx),
      'aria-label': t('problem.dot', { number: idx + 1, state: t(progress[id] === 'solved' ? 'problem.solved' : progress[id] === 'failed' ? 'problem.failed' : 'problem.untried') }),
    }, progress[id] === 'solved' ? '✓' : progress[id] === 'failed' ? '✗' : idx + 1)));
  }

  /** The first exercise that is not solved. @param {Collection} of */
  function firstOpen(of) {
    return Math.max(0, of.exercises.findIndex(({ id }) => progress[id] !== 'solved'));
  }

  return {
    element,
    enter: () => {
      if (!collections.length && shared.welcome) ask('problems');
      draw();
    },
    leave: stop,
    key: (event) => {
      switch (event.key) {
        case 'ArrowRight': case 'n': case 'N': go(at + 1); return true;
        case 'ArrowLeft': go(at - 1); return true;
        case 'p': case 'P': play(PASS); return true;
        case 'r': case 'R': case 'Escape': reset(); return true;
        default: return false;
      }
    },
  };
}
