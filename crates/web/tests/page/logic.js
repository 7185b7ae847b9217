// Unit tests of the page's logic, run inside a browser by `page_logic.rs`: what is thrown is what failed.
(async () => {
  const [{ GameTree, moveNumbers }, values, { scaleOf }, rules, { ofProblem, ofTree }, { layout }, { marksOf }] = await Promise.all(
    ['gametree', 'values', 'graph', 'rules', 'exercise', 'searchtree', 'marking'].map((name) => import(`/js/${name}.js`)));
  const failures = [];
  const passed = [];
  const same = (got, wanted, what = '') => {
    const [a, b] = [got, wanted].map((value) => JSON.stringify(value));
    if (a !== b) throw new Error(`${what} got ${a}, expected ${b}`);
  };
  const test = (name, run) => {
    try {
      run();
      passed.push(name);
    } catch (error) {
      failures.push(`${name}: ${error.stack ?? error}`);
    }
  };
  const base = { width: 5, height: 5, komi: 0.5, rules: 'chinese', handicap: 0 };
  const told = (nodes) => ({ ...base, players: ['a', 'b'], result: '?', nodes });

  test('captures, also of several chains and of oneself', () => {
    same(rules.after('.X...XO...', 5, 2, ['black', 6]).captured, [0, 0]);
    same(rules.after('OX...X....', 5, 2, ['black', 6]), { stones: '.X...XX...'.replace('.', 'O'), captured: [0, 0] });
    same(rules.after('XO..XO..X', 3, 3, ['white', 3]).captured, [1, 0]);
    same(rules.after('OX..X....', 3, 3, ['black', 3]), { stones: '.X.XX....', captured: [0, 1] });
    same(rules.after('.X.X.....', 3, 3, ['white', 0]), { stones: '.X.X.....', captured: [0, 1] }, 'suicide');
    same(rules.name(19, 19, 0), 'A19');
    same(rules.name(19, 19, 8), 'J19');
  });
  test('a variation is begun once, and deleted with what follows', () => {
    const tree = new GameTree(base);
    tree.play(0);
    tree.play(6);
    tree.current = tree.root;
    tree.play(0);
    same(tree.nodes.length, 3);
    tree.current = tree.root;
    tree.play(12);
    same(tree.root.children.length, 2);
    tree.removeCurrent();
    same([tree.root.children.length, tree.current === tree.root, tree.living().length], [1, true, 3]);
    same(tree.edits().map(({ edit }) => edit), ['add', 'add']);
  });
  test('changes of a record are told by its numbers', () => {
    const tree = GameTree.of({ ...told([{ parent: null, steps: [] }, { parent: 0, steps: [['black', 0]], comment: 'x' }, { parent: 1, steps: [['white', 1]] }, { parent: 1, steps: [['white', 2]] }]), sgf: 'file' });
    same(tree.edits(), []);
    tree.current = tree.nodes[1];
    tree.write('comment', 'y');
    tree.mark('triangle', 3);
    tree.mark('square', 3);
    tree.mark('labels', 4);
    tree.mark('labels', 5);
    tree.mark('labels', 4);
    tree.play(7);
    tree.write('name', 'mine');
    tree.current = tree.nodes[2];
    tree.removeCurrent();
    same(tree.edits(), [
      { edit: 'comment', node: 1, text: 'y' }, { edit: 'marks', node: 1, marks: { triangle: [], square: [3], labels: [[5, 'B']] } },
      { edit: 'add', parent: 1, steps: [['white', 7]] }, { edit: 'name', node: 4, text: 'mine' }, { edit: 'remove', node: 2 },
    ]);
    const again = GameTree.of(JSON.parse(JSON.stringify(tree.toPlain())));
    same(again.edits(), tree.edits(), 'remembered');
    same([again.sgf, again.toAsk().sgf], ['file', 'file']);
  });
  test('whose turn it is follows the record, and is told to the server', () => {
    const tree = GameTree.of(told([{ parent: null, steps: [{ black: [0], white: [1] }] }, { parent: 0, steps: [['white', 12]] }]));
    same(tree.root.toPlay, 'white');
    same(tree.spot(tree.root).steps.at(-1), { to_play: 'white' });
    same(tree.spot(tree.nodes[1]).steps.length, 2);
  });
  test('numbers stand on stones that are still there', () => {
    const tree = new GameTree({ ...base, width: 3, height: 3 });
    for (const point of [1, 0, 3]) tree.play(point);
    same([...moveNumbers(tree, 'all')], [[1, 1], [3, 3]]);
    same([...moveNumbers(tree, 'last')], [[3, 3]]);
  });
  test('losses are graded by win rate or points', () => {
    const arm = (point, visits, win, margin) => [point, visits, win, win, null, null, [], margin];
    const report = { choice: 0, arms: [arm(0, 100, 0.6, 2), arm(1, 50, 0.58, 1.9), arm(2, 20, 0.4, -4), arm(3, 1, 0.1, -9)] };
    const grades = (measure) => values.candidatesOf(report, measure).map(({ point, title, grade, isBest }) => [point, title, grade, isBest]);
    same(grades('win'), [[0, '60', 0, true], [1, '58', 1, false], [2, '40', 3, false]]);
    same(grades('score'), [[0, '+2.0', 0, true], [1, '+1.9', 0, false], [2, '−4.0', 3, false]]);
    report.arms[1][7] = null;
    same(grades('score')[1], [1, '58', 1, false], 'without points');
    same([0, -0.04, 9.9, -12.6].map(values.signed), ['0', '0', '+9.9', '−13']);
    same(values.candidatesOf({ choice: null, arms: [] }, 'win'), []);
  });
  test('charts are as wide as the page and find the move under the pointer', () => {
    const points = Array.from({ length: 201 }, (_, ply) => ({ win: ply / 200, score: ply - 100 }));
    for (const [measure, width] of [['win', 400], ['score', 1400]]) {
      const scale = scaleOf(points, { measure, width, height: 120 });
      for (const ply of [0, 1, 77, 200]) same(scale.ply(scale.x(ply)), ply, measure);
      same([scale.ply(-50), scale.ply(width + 50)], [0, 200]);
      same(scale.y(0), scale.middle);
      if (scale.y(scale.reach) < 0 || scale.y(-scale.reach) > 120) throw new Error('off the chart');
    }
    same(scaleOf([null], { measure: 'score' }).values, [null]);
  });
  test('an exercise knows right, wrong and what it does not know', () => {
    const problem = { title: 'x', spot: { ...base, steps: [{ black: [0], white: [1], to_play: 'white' }] }, right: [5], wrong: [] };
    const one = ofProblem('a/x', problem);
    same([one.side, one.play(6).state], ['white', 'wrong']);
    one.reset();
    same([one.play(5).state, one.answer()], ['right', [5]]);
    const avoid = ofProblem('a/y', { ...problem, right: [], wrong: [6] });
    same(avoid.play(6).state, 'wrong');
    avoid.reset();
    same(avoid.play(20).state, 'right');
  });
  test('a file’s variations answer, refute and end', () => {
    const nodes = [
      { parent: null, steps: [{ black: [0], white: [1] }] }, { parent: 0, steps: [['black', 6]] }, { parent: 1, steps: [['white', 7]] },
      { parent: 2, steps: [['black', 8]], is_right: true }, { parent: 0, steps: [['black', 9]], is_right: false }, { parent: 4, steps: [['white', 10]] },
    ];
    const file = ofTree('f/1', 'One', told(nodes));
    same([file.play(6).state, file.tree.current.last, file.play(8).state], ['open', 7, 'right']);
    file.reset();
    same(file.play(9), { state: 'wrong', isKnown: true, refutation: [10] });
    file.reset();
    same(file.play(20), { state: 'wrong', isKnown: false, refutation: [] });
    file.reset();
    same([file.play(6).state, file.play(20).isKnown], ['open', false]);
    same(file.answer(), [6, 7, 8]);
    // Without marks the main line is right and the others are not.
    const plain = ofTree('f/2', 'Two', told(nodes.slice(0, 2).concat({ parent: 0, steps: [['black', 9]] })));
    same(plain.play(9).state, 'wrong');
    plain.reset();
    same(plain.play(6).state, 'right');
    same(ofTree('f/3', 'Three', told([{ parent: null, steps: [{ black: [0] }] }])), null);
  });
  test('a drawn tree has no two boxes in one place', () => {
    const arm = (point, visits) => [point, visits, 0.5, 0.5, null, null, [], null];
    const arms = Array.from({ length: 9 }, (_, idx) => arm(idx, 90 - idx));
    const opened = new Map([['0', { to_play: 'white', arms: arms.slice(0, 3) }], ['0,1', { to_play: 'black', arms: arms.slice(0, 2) }], ['2', { to_play: 'white', arms: [] }]]);
    const items = layout(arms, 'black', opened, new Set());
    same(items.length, 6 + 1 + 3 + 2);
    same(new Set(items.map(({ x, y }) => `${x} ${y}`)).size, items.length);
    same(items.filter(({ arm }) => !arm).map(({ nMore }) => nMore), [3]);
    same(layout(arms, 'black', new Map(), new Set([''])).length, 9);
    const inner = items.find(({ line }) => line.join() === '0,1');
    same([inner.side, inner.parent.line], ['white', [0]]);
  });
  test('marks of a record become shapes', () => {
    same(marksOf({ triangle: [1], labels: [[2, 'A']], white_territory: [3] }).map(({ point, kind }) => [point, kind]), [[1, 'triangle'], [3, 'dot'], [2, 'label']]);
  });
  return { failures, passed };
})()
