//! Methods of tuning against simulated games whose best values are known. Seeds are fixed, so each number is the same in
//! every run.

use goban::Rng;
use lab::stats::WinDrawLoss;
use lab::tune::{
    AxisScale, Clop, Gains, Method, Rival, Spsa, Top, TuneGameId, TuneSession, TunedAxis, random,
};

/// Simulated players: the strength of a point (natural logarithm of the odds), and the point where it is highest.
struct World {
    strength: fn(&[f64]) -> f64,
    best: &'static [f64],
    /// Drawn games, as a share of those that the weaker player's share allows.
    draws: f64,
}

/// −6 (u − 0.6)²: at the ends of the axis 375 and 167 Elo are lost.
const PARABOLA: World = World { strength: |u| -6.0 * (u[0] - 0.6).powi(2), best: &[0.6], draws: 0.0 };

/// A hill on a plain, no quadratic at all: 347 Elo high, and half of that is lost at a distance of 0.19.
const HILL: World =
    World { strength: |u| 2.0 * (-20.0 * (u[0] - 0.35).powi(2)).exp(), best: &[0.35], draws: 0.3 };

/// Steeper on the left than on the right, with the top at x = 0.3, u = 0.25.
const LOPSIDED: World = World {
    strength: |u| {
        let x = (u[0] + 0.05) / 0.3;
        1.5 * (x.ln() - x)
    },
    best: &[0.25],
    draws: 0.0,
};

/// The best value is the smallest.
const SLOPE: World = World { strength: |u| -3.0 * u[0] * u[0], best: &[0.0], draws: 0.0 };

/// Two parameters that depend on each other.
const RIDGE: World = World {
    strength: |u| {
        let [x, y] = [u[0] - 0.7, u[1] - 0.3];
        -5.0 * x * x - 3.0 * y * y - 2.0 * x * y
    },
    best: &[0.7, 0.3],
    draws: 0.1,
};

/// What the opponents are worth.
const OPPONENTS: [f64; 2] = [0.0, 0.4];

impl World {
    fn outcome(&self, ahead: f64, rng: &mut Rng) -> WinDrawLoss {
        let p = 1.0 / (1.0 + (-ahead).exp());
        let draw = self.draws * 2.0 * p.min(1.0 - p);
        let x = random::unit(rng);
        if x < p - 0.5 * draw {
            WinDrawLoss::Win
        } else if x < p + 0.5 * draw {
            WinDrawLoss::Draw
        } else {
            WinDrawLoss::Loss
        }
    }

    /// The outcome of a game: a function of the seed and the game alone.
    fn play(&self, session: &TuneSession, game: TuneGameId, seed: u64) -> WinDrawLoss {
        let bout = session.bout(game).unwrap();
        let rival = match &bout.rival {
            Rival::Opponent(idx) => OPPONENTS[*idx],
            Rival::Point(point) => (self.strength)(point),
        };
        let number = (game.step * 2 + game.bout as u64) * 2 + game.half as u64;
        let mut rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        self.outcome((self.strength)(&bout.point) - rival, &mut rng)
    }

    /// A whole run.
    fn run(&self, method: Box<dyn Method>, steps: u64, seed: u64) -> TuneSession {
        let mut session = TuneSession::new(method, steps, seed);
        while !session.is_done() {
            let game = session.open_games().next().unwrap();
            let outcome = self.play(&session, game, seed);
            assert!(session.finished(game, outcome));
        }
        session
    }

    fn axes(&self) -> Vec<TunedAxis> {
        let axis = |i| {
            let (low, high, scale) = (0.0, 1.0, AxisScale::Linear);
            TunedAxis { key: format!("x{i}"), low, high, scale, whole: false, start: 0.5 }
        };
        (0..self.best.len()).map(axis).collect()
    }

    fn clop(&self) -> Box<dyn Method> {
        Box::new(Clop::new(self.axes(), 1))
    }

    /// Against itself without opponents.
    fn spsa(&self, n_opponents: usize, steps: u64, seed: u64) -> Box<dyn Method> {
        let gains = Gains::usual(self.best.len(), steps, Gains::WALKERS);
        Box::new(Spsa::new(self.axes(), n_opponents, gains, seed))
    }
}

/// Runs of each trial: enough that a method whose intervals hold the truth in 95 % of runs is hardly refused by bad luck,
/// nor one of 80 % let pass by good luck.
const N_RUNS: u32 = 60;

/// How the runs went, the worst axis counting.
struct Trial {
    covered: u32,
    /// The mean width of the intervals, a share of the axis.
    width: f64,
    /// The root of the mean squared distance of the estimate from the truth.
    error: f64,
}

fn trial(name: &str, world: &World, run: impl Fn(u64) -> Top) -> Trial {
    const N: u32 = N_RUNS;
    let n_axes = world.best.len();
    let (mut covered, mut width, mut square) = (vec![0; n_axes], vec![0.0; n_axes], vec![0.0; n_axes]);
    for seed in 0..u64::from(N) {
        let top = run(seed);
        for (i, best) in world.best.iter().enumerate() {
            covered[i] += u32::from(top.low[i] <= *best && *best <= top.high[i]);
            width[i] += (top.high[i] - top.low[i]) / f64::from(N);
            square[i] += (top.point[i] - best).powi(2) / f64::from(N);
            assert!(top.low[i] <= top.point[i] && top.point[i] <= top.high[i]);
        }
    }
    let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let trial = Trial {
        covered: covered.into_iter().min().unwrap(),
        width: most(&width),
        error: most(&square).sqrt(),
    };
    println!(
        "{name}: covered {} of {N}, mean width {:.3}, root mean squared error {:.3}",
        trial.covered, trial.width, trial.error
    );
    trial
}

/// In at least 18 of 20 runs the truth is in the interval; the interval is of the width given at most, and no wider than
/// the errors that are really made warrant: four standard deviations, and as much again, since a few runs that learn little
/// have very wide ones. Returns the number covered.
fn check(name: &str, world: &World, width: f64, run: impl Fn(u64) -> Top) -> u32 {
    let trial = trial(name, world, run);
    assert!(20 * trial.covered >= 18 * N_RUNS, "{name}: {} of {N_RUNS}", trial.covered);
    assert!(trial.width <= width, "{name}: {}", trial.width);
    assert!(trial.width <= 8.0 * trial.error, "{name}: {} for errors of {}", trial.width, trial.error);
    trial.covered
}

/// Intervals are said to be of 95 %: over the worlds of a method, they hold the truth in 94 % of the runs or more.
fn check_all(covered: &[u32]) {
    let share = f64::from(covered.iter().sum::<u32>()) / (covered.len() as f64 * f64::from(N_RUNS));
    println!("all: {:.1} %", 100.0 * share);
    assert!(share >= 0.94, "{covered:?}");
}

#[test]
fn clop_finds_the_best_value() {
    let worlds = [
        ("parabola", &PARABOLA, 0.35),
        ("hill", &HILL, 0.15),
        ("lopsided", &LOPSIDED, 0.5),
        ("slope", &SLOPE, 0.4),
    ];
    check_all(&worlds.map(|(name, world, width)| {
        check(&format!("clop, {name}"), world, width, |seed| {
            world.run(world.clop(), 300, seed).method().belief().top()
        })
    }));
}

#[test]
fn clop_finds_two_values() {
    check("clop, ridge", &RIDGE, 0.55, |seed| RIDGE.run(RIDGE.clop(), 400, seed).method().belief().top());
}

#[test]
fn spsa_against_itself_finds_the_best_values() {
    let worlds = [
        ("parabola", &PARABOLA, 0.25),
        ("hill", &HILL, 0.15),
        ("lopsided", &LOPSIDED, 0.25),
        ("slope", &SLOPE, 0.25),
        ("ridge", &RIDGE, 0.5),
    ];
    check_all(&worlds.map(|(name, world, width)| {
        check(&format!("spsa, {name}"), world, width, |seed| {
            world.run(world.spsa(0, 500, seed), 500, seed).method().belief().top()
        })
    }));
}

#[test]
fn spsa_against_opponents_finds_the_best_values() {
    let worlds = [("parabola", &PARABOLA, 0.3), ("hill", &HILL, 0.12), ("ridge", &RIDGE, 0.6)];
    check_all(&worlds.map(|(name, world, width)| {
        check(&format!("spsa against opponents, {name}"), world, width, |seed| {
            world.run(world.spsa(2, 400, seed), 400, seed).method().belief().top()
        })
    }));
}

#[test]
fn more_games_give_narrower_intervals() {
    // Forty times as many games: by the square root 6.3 times as narrow where a parabola is one; single widths vary.
    let mean_width = |steps| {
        let width = |seed| {
            let top = PARABOLA.run(PARABOLA.spsa(0, steps, seed), steps, seed).method().belief().top();
            top.high[0] - top.low[0]
        };
        (0..6).map(width).sum::<f64>() / 6.0
    };
    let (few, many) = (mean_width(100), mean_width(4000));
    println!("mean widths: {few:.3} and {many:.3}");
    assert!(many < 0.3 * few && many < 0.1, "{few} {many}");
}

#[test]
fn walkers_come_together_at_the_top() {
    // Starts are spread over the axis (one at its middle, one in each other quarter); at the end all are near 0.6.
    let session = PARABOLA.run(PARABOLA.spsa(0, 2000, 5), 2000, 5);
    for walker in session.method().walkers() {
        assert!((walker[0] - 0.6).abs() < 0.15, "{walker:?}");
    }
}

#[test]
fn nothing_is_claimed_without_a_difference() {
    // All values are equally strong: the interval must be nearly the whole axis, in nearly every run.
    let flat = World { strength: |_| 0.0, best: &[0.5], draws: 0.0 };
    for (name, run) in [
        ("clop", Box::new(|seed| flat.run(flat.clop(), 300, seed)) as Box<dyn Fn(u64) -> TuneSession>),
        ("spsa", Box::new(|seed| flat.run(flat.spsa(0, 300, seed), 300, seed))),
    ] {
        let wide = (0..20).filter(|&seed| {
            let top = run(seed).method().belief().top();
            top.high[0] - top.low[0] > 0.6
        });
        let wide = wide.count();
        println!("{name}: {wide} of 20 intervals are wide");
        assert!(wide >= 17, "{name}: {wide}");
    }
}

#[test]
fn the_order_in_which_games_end_does_not_matter() {
    for seed in 0..3 {
        for spsa in [false, true] {
            let method = || if spsa { RIDGE.spsa(2, 120, seed) } else { RIDGE.clop() };
            let ordered = RIDGE.run(method(), 120, seed);
            // Any of the open games ends next, as on many tables; some are told twice.
            let mut rng = Rng::new(seed);
            let mut session = TuneSession::new(method(), 120, seed);
            while !session.is_done() {
                let open: Vec<TuneGameId> = session.open_games().collect();
                let game = open[rng.below(open.len() as u32) as usize];
                let outcome = RIDGE.play(&session, game, seed);
                assert!(session.finished(game, outcome));
                assert!(!session.finished(game, outcome), "a game counts once");
            }
            assert_eq!(session.method().samples(), ordered.method().samples());
            assert_eq!(session.n_games(), ordered.n_games());
            assert_eq!(session.method().belief().top(), ordered.method().belief().top());
        }
    }
}

#[test]
fn whole_numbers_and_logarithmic_scales() {
    // The best of 1 to 64 is 8 on a logarithmic axis (its middle), the best of 0 to 12 is 9.
    let axes = vec![
        TunedAxis { key: "a".into(), low: 1.0, high: 64.0, scale: AxisScale::Log, whole: true, start: 30.0 },
        TunedAxis {
            key: "b".into(),
            low: 0.0,
            high: 12.0,
            scale: AxisScale::Linear,
            whole: true,
            start: 2.0,
        },
    ];
    let world = World {
        strength: |u| -6.0 * (u[0] - 0.5).powi(2) - 6.0 * (u[1] - 0.75).powi(2),
        best: &[0.5, 0.75],
        draws: 0.0,
    };
    let n_steps = 600;
    let clop: Box<dyn Method> = Box::new(Clop::new(axes.clone(), 1));
    let gains = Gains::usual(2, n_steps, Gains::WALKERS);
    let spsa: Box<dyn Method> = Box::new(Spsa::new(axes.clone(), 0, gains, 3));
    for method in [clop, spsa] {
        let session = world.run(method, n_steps, 3);
        for sample in session.method().samples() {
            for (axis, u) in axes.iter().zip(&sample.bout.point) {
                assert_eq!(axis.value(*u), axis.value(*u).round());
                assert!((axis.unit(axis.value(*u)) - u).abs() < 1e-12);
            }
        }
        let top = session.method().belief().top();
        for ((axis, best), i) in axes.iter().zip([8.0, 9.0]).zip(0..) {
            let [low, high] = axis.interval(top.low[i], top.high[i]);
            println!("{}: {} from {low} to {high}", axis.key, axis.value(top.point[i]));
            assert!(low <= best && best <= high && (low, high) == (low.round(), high.round()));
            assert!(axis.unit(high) - axis.unit(low) < 0.6, "{low} {high}");
        }
    }
}
