//! The statistics against simulated games whose truth is known: error rates of the sequential test, and how often
//! intervals hold the truth. Seeds are fixed, so each number is the same in every run.

use goban::Rng;
use lab::stats::{
    Encounter, Hypothesis, Pentanomial, Ratings, SequentialTest, Sprt, Trinomial, WinDrawLoss, elo_of_rate,
    rate_of_elo,
};

/// How a game between two players ends: probabilities of a win and of a draw, A's view.
#[derive(Clone, Copy)]
struct Chances {
    win: f32,
    draw: f32,
}

impl Chances {
    /// A is `elo` ahead; drawn games are the share `draws` of what the weaker player's share allows, so that the mean
    /// stays `rate_of_elo(elo)`.
    fn new(elo: f64, draws: f64) -> Self {
        let p = rate_of_elo(elo);
        let draw = draws * 2.0 * p.min(1.0 - p);
        Self { win: (p - 0.5 * draw) as f32, draw: draw as f32 }
    }

    fn rate(self) -> f64 {
        f64::from(self.win) + 0.5 * f64::from(self.draw)
    }

    fn play(self, rng: &mut Rng) -> WinDrawLoss {
        let x = rng.unit();
        if x < self.win {
            WinDrawLoss::Win
        } else if x < self.win + self.draw {
            WinDrawLoss::Draw
        } else {
            WinDrawLoss::Loss
        }
    }
}

/// Colour pairs: the opening gives Black an advantage, so A is `elo + advantage` ahead in one game, `elo − advantage` in
/// the other. The share of the points is not quite that of `elo`; it is worked out here.
struct Pairs([Chances; 2]);

impl Pairs {
    fn new(elo: f64, advantage: f64, draws: f64) -> Self {
        Self([Chances::new(elo + advantage, draws), Chances::new(elo - advantage, draws)])
    }

    /// The pair whose mean is exactly that of `elo`: the players' own difference is searched for.
    fn with_mean(elo: f64, advantage: f64, draws: f64) -> Self {
        let (mut low, mut high) = (-2000.0, 2000.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if Self::new(middle, advantage, draws).rate() < rate_of_elo(elo) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Self::new(low, advantage, draws)
    }

    fn rate(&self) -> f64 {
        0.5 * (self.0[0].rate() + self.0[1].rate())
    }

    fn play(&self, rng: &mut Rng) -> [WinDrawLoss; 2] {
        self.0.map(|game| game.play(rng))
    }
}

/// How many of `n` tests accept H1 when A is truly `elo` ahead, and the mean number of pairs they took.
fn accepted(test: Sprt, truth: &Pairs, n: u32, seed: u64) -> (f64, f64) {
    let (mut accepted, mut pairs) = (0, 0);
    for number in 0..n {
        let mut rng = Rng::new(seed * 1_000_003 + u64::from(number));
        let mut run = SequentialTest::new(test);
        let mut games = 0;
        while run.verdict().is_none() {
            for outcome in truth.play(&mut rng) {
                games += 1;
                run.finished(games, outcome);
            }
        }
        accepted += u32::from(run.verdict() == Some(Hypothesis::H1));
        pairs += run.pairs().pairs();
    }
    (f64::from(accepted) / f64::from(n), pairs as f64 / f64::from(n))
}

#[test]
fn the_sequential_test_errs_as_often_as_it_may() {
    // (elo0, elo1, α, β), Black's advantage, draws; 10 000 matches in all for each hypothesis. Wald's bounds hold the
    // errors below α and β but for the overshoot, which makes them smaller, and the estimated variance, which makes them
    // a little larger in short tests. Two thousand matches have a standard error of 0.5 % at 5 %.
    let settings = [
        ((0.0, 40.0, 0.05, 0.05), 0.0, 0.0),
        ((0.0, 40.0, 0.05, 0.05), 150.0, 0.3),
        ((-30.0, 30.0, 0.10, 0.05), 80.0, 0.0),
        ((0.0, 60.0, 0.05, 0.10), 0.0, 0.6),
        ((50.0, 100.0, 0.05, 0.05), 100.0, 0.1),
    ];
    let (mut ratios, n_ratios) = (0.0, 2.0 * settings.len() as f64);
    for (i, ((elo0, elo1, alpha, beta), advantage, draws)) in settings.into_iter().enumerate() {
        let test = Sprt::new(elo0, elo1, alpha, beta).unwrap();
        let (wrong, _) = accepted(test, &Pairs::with_mean(elo0, advantage, draws), 2000, 2 * i as u64);
        let (right, pairs) =
            accepted(test, &Pairs::with_mean(elo1, advantage, draws), 2000, 2 * i as u64 + 1);
        println!("{test:?}: H1 accepted {wrong:.4} under H0, {right:.4} under H1, {pairs:.0} pairs");
        assert!(wrong > 0.5 * alpha && wrong < 1.25 * alpha, "type 1: {wrong} of {alpha}");
        assert!(1.0 - right > 0.5 * beta && 1.0 - right < 1.25 * beta, "type 2: {} of {beta}", 1.0 - right);
        ratios += wrong / alpha + (1.0 - right) / beta;
    }
    // All 20 000 matches together: errors over errors allowed.
    let ratio = ratios / n_ratios;
    assert!((0.85..=1.1).contains(&ratio), "{ratio}");
}

#[test]
fn halfway_the_sequential_test_is_undecided() {
    // Halfway between the hypotheses, with equal error rates, each is accepted half of the time, and the test takes
    // longest: about (ln 19)² / (2 · half the step's information) — more than under either hypothesis.
    let test = Sprt::new(0.0, 60.0, 0.05, 0.05).unwrap();
    let (half, longest) = accepted(test, &Pairs::with_mean(30.0, 60.0, 0.2), 1000, 77);
    let (_, shorter) = accepted(test, &Pairs::with_mean(60.0, 60.0, 0.2), 1000, 78);
    assert!((half - 0.5).abs() < 0.06, "{half}");
    assert!(longest > 1.3 * shorter, "{longest} {shorter}");
}

#[test]
fn two_player_intervals_cover_the_truth() {
    let (mut all, mut n_all) = (0, 0);
    for (i, (elo, draws, n_games)) in [
        (0.0, 0.0, 100),
        (0.0, 0.5, 100),
        (60.0, 0.2, 150),
        (-120.0, 0.0, 200),
        (200.0, 0.4, 300),
        (-35.0, 0.8, 400),
    ]
    .into_iter()
    .enumerate()
    {
        let chances = Chances::new(elo, draws);
        let truth = elo_of_rate(chances.rate());
        let mut rng = Rng::new(i as u64);
        let n = 3000;
        let covered: u32 = (0..n)
            .map(|_| {
                let mut games = Trinomial::default();
                for _ in 0..n_games {
                    games.add(chances.play(&mut rng));
                }
                let elo = games.elo();
                u32::from(elo.low <= truth && truth <= elo.high)
            })
            .sum();
        let share = f64::from(covered) / f64::from(n);
        println!("games: {elo:+} Elo, draws {draws}, {n_games} games: {share:.4}");
        assert!((0.93..=0.97).contains(&share), "{elo} {draws}: {share}");
        all += covered;
        n_all += n;
    }
    let share = f64::from(all) / f64::from(n_all);
    assert!((0.94..=0.96).contains(&share), "{share}");
}

#[test]
fn intervals_from_colour_pairs_cover_the_truth() {
    let (mut all, mut n_all) = (0, 0);
    for (i, (elo, advantage, draws, n_pairs)) in [
        (0.0, 0.0, 0.0, 50),
        (0.0, 200.0, 0.0, 60),
        (50.0, 100.0, 0.3, 100),
        (-150.0, 50.0, 0.1, 100),
        (250.0, 0.0, 0.2, 200),
        (-20.0, 300.0, 0.5, 200),
    ]
    .into_iter()
    .enumerate()
    {
        let pair = Pairs::new(elo, advantage, draws);
        let truth = elo_of_rate(pair.rate());
        let mut rng = Rng::new(100 + i as u64);
        let n = 3000;
        let covered: u32 = (0..n)
            .map(|_| {
                let mut pairs = Pentanomial::default();
                for _ in 0..n_pairs {
                    let [first, second] = pair.play(&mut rng);
                    pairs.add(first, second);
                }
                let elo = pairs.elo();
                u32::from(elo.low <= truth && truth <= elo.high)
            })
            .sum();
        let share = f64::from(covered) / f64::from(n);
        println!("pairs: {elo:+} Elo, advantage {advantage}, draws {draws}, {n_pairs} pairs: {share:.4}");
        assert!((0.93..=0.97).contains(&share), "{elo} {advantage} {draws}: {share}");
        all += covered;
        n_all += n;
    }
    let share = f64::from(all) / f64::from(n_all);
    assert!((0.94..=0.96).contains(&share), "{share}");
}

#[test]
fn superiority_is_a_probability() {
    // With the truth drawn evenly around equality, A is better in 80 % of the cases in which the likelihood of superiority
    // says 80 %: of all matches where it said 75 to 85 %, between 76 and 84 % must be so.
    let mut rng = Rng::new(5);
    let (mut better, mut said) = (0u32, 0u32);
    for _ in 0..20_000 {
        let elo = 400.0 * (f64::from(rng.unit()) - 0.5);
        let pair = Pairs::new(elo, 80.0, 0.2);
        let mut pairs = Pentanomial::default();
        for _ in 0..30 {
            let [first, second] = pair.play(&mut rng);
            pairs.add(first, second);
        }
        if (0.75..0.85).contains(&pairs.los()) {
            said += 1;
            better += u32::from(elo > 0.0);
        }
    }
    let share = f64::from(better) / f64::from(said);
    println!("superiority: {share:.4} of {said}");
    assert!(said > 300 && (0.76..0.84).contains(&share), "{share} of {said}");
}

#[test]
fn ratings_of_many_players_cover_the_truth() {
    // A round robin of six with different numbers of games, the anchor in the middle; and the ends against each other
    // hardly meet, so most of what is known of their difference is known through others.
    let truth = [-220.0, -90.0, 0.0, 40.0, 130.0, 310.0];
    for (seed, draws) in [(1, 0.0), (2, 0.3), (3, 0.7)] {
        let mut rng = Rng::new(seed);
        let (mut covered, mut differences, n) = ([0u32; 6], 0u32, 1000);
        for _ in 0..n {
            let mut encounters = Vec::new();
            for a in 0..truth.len() {
                for b in 0..a {
                    let chances = Chances::new(truth[a] - truth[b], draws);
                    let mut games = Trinomial::default();
                    for _ in 0..if a - b > 3 { 4 } else { 30 } {
                        games.add(chances.play(&mut rng));
                    }
                    let [wins, draws, losses] = [games.wins, games.draws, games.losses].map(|n| n as f64);
                    encounters.push(Encounter { a, b, wins, draws, losses });
                }
            }
            let fit = Ratings::fit(truth.len(), &encounters, (2, 0.0)).unwrap();
            for (count, (player, truth)) in covered.iter_mut().zip(fit.players.iter().zip(truth)) {
                *count += u32::from(player.low <= truth && truth <= player.high);
            }
            let ends = fit.difference(5, 0);
            differences += u32::from(ends.low <= 530.0 && 530.0 <= ends.high);
        }
        println!("ratings, draws {draws}: {covered:?}, ends {differences} of {n}");
        assert_eq!(covered[2], n, "the anchor is given");
        for (player, &count) in covered.iter().enumerate().filter(|&(player, _)| player != 2) {
            assert!((930..=970).contains(&count), "player {player}, draws {draws}: {count}");
        }
        assert!((930..=970).contains(&differences), "{differences}");
    }
}
