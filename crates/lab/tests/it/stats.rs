//! The statistics against worked examples: of the literature, of other programs' published pages, and by hand.

use lab::stats::{
    Elo, Encounter, Hypothesis, MOST_ELO, Pentanomial, Ratings, SequentialTest, Sprt, StatsError, Trinomial,
    WinDrawLoss, elo_of_rate, ratings,
};

fn near(a: f64, b: f64, within: f64) -> bool {
    (a - b).abs() <= within
}

#[track_caller]
fn assert_near(a: f64, b: f64, within: f64) {
    assert!(near(a, b, within), "{a} is not within {within} of {b}");
}

fn finite(elo: &Elo) -> bool {
    elo.elo.is_finite()
        && elo.low.is_finite()
        && elo.high.is_finite()
        && elo.low <= elo.elo
        && elo.elo <= elo.high
}

#[test]
fn elo_and_superiority_of_single_games() {
    // A published match of 10 000 games, +3225 −3068 =3707: "Elo difference: 5.5 +/- 5.4, LOS: 97.6 %" (the formulas are
    // those of the chess programming wiki, "Match statistics"). By hand: p = (3225 + 1853.5) / 10000 = 0.50785, Elo
    // 400 · log10(0.50785 / 0.49215) = 5.455; variance 0.50785 · 0.49215 − 0.3707 / 4 = 0.157263, deviation of the mean
    // 0.0039657, so ±0.0077726 of share, ±5.40 Elo; LOS = Φ(157 / √6293) = Φ(1.9791) = 0.97610.
    let games = Trinomial { wins: 3225, draws: 3707, losses: 3068 };
    let elo = games.elo();
    assert_near(elo.elo, 5.455, 0.002);
    assert_near(elo.margin(), 5.40, 0.01);
    assert_near(games.variance(), 0.157_263, 1e-6);
    assert_near(games.los(), 0.9761, 1e-4);
    let other = games.reversed();
    assert_near(other.elo().elo, -elo.elo, 1e-9);
    assert_near(other.elo().low, -elo.high, 1e-9);
    assert_near(other.los(), 1.0 - games.los(), 1e-12);
}

#[test]
fn without_draws_the_elo_interval_is_wilsons() {
    // 60 of 100: Wilson 0.50200 to 0.69060 (checked beside `wilson95`); 400 · log10(0.50200 / 0.49800) = 1.39,
    // 400 · log10(0.69060 / 0.30940) = 139.5.
    let elo = Trinomial { wins: 60, draws: 0, losses: 40 }.elo();
    assert_near(elo.low, 1.39, 0.02);
    assert_near(elo.high, 139.5, 0.1);
    assert_near(elo.elo, elo_of_rate(0.6), 1e-12);
}

#[test]
fn pairs_of_a_published_test() {
    // The statistics page of a public test of the fishtest family: results by pairs [13, 37, 50, 25, 3], "Expected value
    // 0.43750, Variance 0.05762", Elo −43.66, LOS (1 − p) 0.00114, GLRs "Logistic (exact) −0.53772" for H0 0 and
    // H1 2.716 logistic Elo. By hand: points (37·½ + 50 + 25·1½ + 6) of 256 games = 112 / 256 = 0.4375;
    // 400 · log10(0.4375 / 0.5625) = −43.658; variance (13 · 0.4375² + 37 · 0.1875² + 50 · 0.0625² + 25 · 0.3125² +
    // 3 · 0.5625²) / 128 = 7.375 / 128 = 0.057617.
    let pairs = Pentanomial([13, 37, 50, 25, 3]);
    assert_eq!((pairs.pairs(), pairs.games()), (128, 256));
    assert_near(pairs.rate(), 0.4375, 1e-12);
    assert_near(pairs.variance(), 0.057_617, 1e-6);
    assert_near(pairs.elo().elo, -43.658, 1e-3);
    let test = Sprt::new(0.0, 2.716, 0.05, 0.05).unwrap();
    assert_near(test.llr(&pairs), -0.537_72, 2e-4);
    // Theirs estimates the variance about the mean, ours about ½, which is larger: z = −8 / √(128 · 0.057617 + 128 ·
    // 0.0625²) = −8 / √7.875 = −2.8508, Φ = 0.00218; with theirs −8 / √7.375 = −2.9458, 0.0016 (their 0.00114 also
    // corrects for the optional stopping of the test).
    assert_near(pairs.los(), 0.002_18, 1e-5);
    // ln(0.95 / 0.05) = 2.9444.
    assert_near(test.bounds()[1], 2.9444, 1e-4);
    assert_near(test.bounds()[0], -2.9444, 1e-4);
}

#[test]
fn the_ratio_by_hand_for_two_outcomes() {
    // Only won and lost single games: the constrained maximum is p itself, so the ratio is Wald's binomial one,
    // w ln(s1/s0) + l ln((1 − s1)/(1 − s0)), up to the thousandth of a draw that is added. s0 = 1/2,
    // s1 = 10/11 at 400 Elo: 7 ln(20/11) + 3 ln(2/11) = 4.18486 − 5.11424 = −0.92938.
    let test = Sprt::new(0.0, 400.0, 0.05, 0.05).unwrap();
    let llr = test.llr_of_games(&Trinomial { wins: 7, draws: 0, losses: 3 });
    assert_near(llr, -0.929_38, 5e-3);
    assert_near(test.llr_of_games(&Trinomial { wins: 700, draws: 0, losses: 300 }), -92.938, 5e-3);
    // With draws the normal approximation holds for small differences: N (s1 − s0)(2x − s0 − s1) / (2σ²)
    // (Van den Bergh, "A practical introduction to the GSPRT"). 1000 games, 40 % draws, x = 0.52:
    // σ² = 0.32 + 0.1 − 0.2704 = 0.1496, s1 = 0.514385 at 10 Elo: 1000 · 0.014385 · 0.025615 / 0.2992 = 1.2315.
    let small = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
    assert_near(small.llr_of_games(&Trinomial { wins: 320, draws: 400, losses: 280 }), 1.2315, 0.01);
}

#[test]
fn ratios_are_antisymmetric_and_finite() {
    let (up, down) = (Sprt::new(5.0, 40.0, 0.05, 0.1).unwrap(), Sprt::new(-40.0, -5.0, 0.1, 0.05).unwrap());
    for counts in
        [[3, 5, 9, 4, 1], [0, 0, 0, 0, 7], [9, 0, 0, 0, 0], [0, 0, 4, 0, 0], [0; 5], [1, 0, 0, 0, 1]]
    {
        let pairs = Pentanomial(counts);
        let llr = up.llr(&pairs);
        assert!(llr.is_finite(), "{counts:?}");
        assert_near(llr, -down.llr(&pairs.reversed()), 1e-9);
    }
    assert_eq!(up.llr(&Pentanomial::default()), 0.0);
    assert!(up.llr(&Pentanomial([0, 0, 0, 0, 7])) > 0.0 && up.llr(&Pentanomial([9, 0, 0, 0, 0])) < 0.0);
    // Extreme hypotheses do not break the arithmetic.
    let wide = Sprt::new(-3000.0, 3000.0, 0.01, 0.01).unwrap();
    assert_eq!(wide.verdict(&Pentanomial([0, 0, 0, 0, 1])), Some(Hypothesis::H1));
    assert_eq!(wide.verdict(&Pentanomial([1, 0, 0, 0, 0])), Some(Hypothesis::H0));
}

#[test]
fn nonsense_is_refused() {
    assert_eq!(Sprt::new(5.0, 5.0, 0.05, 0.05), Err(StatsError::Hypotheses { elo0: 5.0, elo1: 5.0 }));
    assert!(Sprt::new(f64::NAN, 5.0, 0.05, 0.05).is_err());
    assert!(Sprt::new(0.0, 1e9, 0.05, 0.05).is_err());
    let error = Sprt::new(0.0, 5.0, 0.05, 0.7).unwrap_err().to_string();
    assert!(error.contains("beta is 0.7"), "{error}");
}

#[test]
fn few_games_and_one_sided_games_stay_finite() {
    for n in 0..4 {
        for counts in [[n, 0, 0, 0, 0], [0, n, 0, 0, 0], [0, 0, n, 0, 0], [0, 0, 0, n, 0], [0, 0, 0, 0, n]] {
            let pairs = Pentanomial(counts);
            assert!(finite(&pairs.elo()), "{counts:?}: {:?}", pairs.elo());
            assert!((0.0..=1.0).contains(&pairs.los()));
        }
        for games in [(n, 0, 0), (0, n, 0), (0, 0, n), (n, n, 0), (n, 0, n)] {
            let games = Trinomial { wins: games.0, draws: games.1, losses: games.2 };
            assert!(finite(&games.elo()), "{games:?}: {:?}", games.elo());
        }
    }
    // Ten of ten: the lower end is Wilson's 0.72247, that is 166.2 Elo; the upper end is open; the estimate is that of
    // 9.5 of 10, 400 · log10(19) = 511.5. Five pairs won are the same ten games.
    let games = Trinomial { wins: 10, draws: 0, losses: 0 }.elo();
    assert_eq!(games, Pentanomial([0, 0, 0, 0, 5]).elo());
    assert_near(games.low, 166.2, 0.1);
    assert_near(games.elo, 511.5, 0.1);
    assert_eq!(games.high, MOST_ELO);
    assert_eq!(Pentanomial::default().elo(), Elo::UNKNOWN);
    assert_eq!(Trinomial::default().los(), 0.5);
    // Ten draws: something is known, not everything. Variance (0 + ¼) / 11 · ¼: as if 110 games had been decided.
    let draws = Trinomial { wins: 0, draws: 10, losses: 0 }.elo();
    assert_eq!(draws.elo, 0.0);
    assert_near(draws.high, Trinomial { wins: 55, draws: 0, losses: 55 }.elo().high, 1e-9);
}

#[test]
fn independent_pairs_and_single_games_agree() {
    // Pairs of independent games, p = ½ without draws, come as 1 : 2 : 1 of 0, 1 and 2 points; both ways of counting
    // then have the same variance and nearly the same interval.
    let pairs = Pentanomial([250, 0, 500, 0, 250]).elo();
    let games = Trinomial { wins: 1000, draws: 0, losses: 1000 }.elo();
    assert_near(pairs.high, games.high, 0.02);
    // When every opening is won by Black, pairs know that A and B are equal; single games do not.
    let biased = Pentanomial([0, 0, 1000, 0, 0]).elo();
    assert!(biased.high < 0.1 * games.high, "{biased}");
}

#[test]
fn a_sequential_test_does_not_mind_the_order() {
    // A wins three games of four; the verdict and the pairs it rests on are the same whatever the order games end in, and
    // a game told twice counts once.
    let test = Sprt::new(0.0, 100.0, 0.05, 0.05).unwrap();
    let outcome = |number: u64| if number.is_multiple_of(4) { WinDrawLoss::Loss } else { WinDrawLoss::Win };
    let mut ordered = SequentialTest::new(test);
    let mut last = 0;
    while ordered.verdict().is_none() {
        last += 1;
        ordered.finished(last, outcome(last));
    }
    assert_eq!(ordered.verdict(), Some(Hypothesis::H1));
    assert_eq!(ordered.pairs().games(), last);
    assert!(ordered.llr() >= test.bounds()[1]);
    let mut shuffled = SequentialTest::new(test);
    // Blocks of seven, backwards, each told twice, and more games than needed.
    for number in (0..last / 7 + 2).flat_map(|block| (block * 7 + 1..block * 7 + 8).rev()) {
        shuffled.finished(number, outcome(number));
        shuffled.finished(number, outcome(number).reversed());
    }
    assert_eq!(shuffled.verdict(), ordered.verdict());
    assert_eq!(shuffled.pairs(), ordered.pairs());
    // A gap holds everything up.
    let mut gap = SequentialTest::new(test);
    for number in 2..500 {
        assert_eq!(gap.finished(number, WinDrawLoss::Win), None);
    }
    assert_eq!(gap.finished(1, WinDrawLoss::Win), Some(Hypothesis::H1));
}

fn met(a: usize, b: usize, wins: f64, draws: f64, losses: f64) -> Encounter {
    Encounter { a, b, wins, draws, losses }
}

#[test]
fn the_baseball_league_of_agresti() {
    // Agresti, "Categorical Data Analysis" (2002, p. 438; American League 1987), fitted by the R package BradleyTerry2
    // (Turner and Firth 2012, J. Stat. Software 48(9), section 2): strengths relative to Baltimore with standard errors,
    // natural logarithms.
    let wins = [
        [0, 7, 9, 7, 7, 9, 11], // Milwaukee
        [6, 0, 7, 5, 11, 9, 9], // Detroit
        [4, 6, 0, 7, 7, 8, 12], // Toronto
        [6, 8, 6, 0, 6, 7, 10], // New York
        [6, 2, 6, 7, 0, 7, 12], // Boston
        [4, 4, 5, 6, 6, 0, 6],  // Cleveland
        [2, 4, 1, 3, 1, 7, 0],  // Baltimore
    ];
    let published = [
        (1.5814, 0.3433),
        (1.4364, 0.3396),
        (1.2945, 0.3367),
        (1.2476, 0.3359),
        (1.1077, 0.3339),
        (0.6839, 0.3319),
    ];
    let mut encounters = Vec::new();
    for (a, row) in wins.iter().enumerate() {
        for (b, &won) in row.iter().enumerate().take(a) {
            encounters.push(met(a, b, f64::from(won), 0.0, f64::from(wins[b][a])));
        }
    }
    let fit = Ratings::fit(7, &encounters, (6, 1500.0)).unwrap();
    let per_nat = 400.0 / std::f64::consts::LN_10;
    for (player, (strength, error)) in fit.players.iter().zip(published) {
        assert_near((player.elo - 1500.0) / per_nat, strength, 1e-4);
        assert_near((player.high - player.low) / (2.0 * 1.959_964 * per_nat), error, 1e-4);
        assert!(!player.assumed);
    }
    let anchor = fit.players[6];
    assert_eq!((anchor.elo, anchor.low, anchor.high), (1500.0, 1500.0, 1500.0));
    // Whatever the anchor, differences are the same, and so are their intervals.
    let other = Ratings::fit(7, &encounters, (2, 0.0)).unwrap();
    let (one, same) = (fit.difference(0, 4), other.difference(0, 4));
    assert!(near(one.elo, same.elo, 1e-6) && near(one.low, same.low, 1e-6), "{one:?} {same:?}");
    assert_near(fit.los(0, 4) + fit.los(4, 0), 1.0, 1e-12);
    assert_eq!(fit.los(3, 3), 0.5);
}

#[test]
fn two_players_by_hand() {
    // 60 wins and 40 losses: ln(0.6 / 0.4) nats, 70.44 Elo; variance 1 / (100 · 0.24) nats², 1.959964 · 173.718 · 0.204124
    // = 69.50 Elo each way. With 20 of them drawn (50, 20, 30): the same rating, variance of a game 0.24 − 0.05 = 0.19, so
    // the interval shrinks by √((100 · 0.19 + 0.25) / (100 · 0.24 + 0.25)) = 0.8910.
    let [decided, drawn] = [met(0, 1, 60.0, 0.0, 40.0), met(0, 1, 50.0, 20.0, 30.0)]
        .map(|encounter| ratings(2, &[encounter], (1, 0.0)).unwrap()[0]);
    assert_near(decided.elo, 70.44, 0.01);
    assert_near(decided.high - decided.elo, 69.50, 0.01);
    assert_near(drawn.elo, 70.44, 0.01);
    assert_near((drawn.high - drawn.elo) / (decided.high - decided.elo), 0.8910, 1e-4);
    // The same games told in several encounters and from the other side.
    let split = [met(0, 1, 25.0, 15.0, 10.0), met(1, 0, 20.0, 5.0, 25.0), met(0, 1, 0.0, 0.0, 0.0)];
    assert_near(ratings(2, &split, (1, 0.0)).unwrap()[0].elo, drawn.elo, 1e-9);
}

#[test]
fn players_that_won_or_lost_everything() {
    // 0 and 1 are even; 2 lost all ten games to 1; 3 won all four games against 0. One draw is assumed in each of those
    // encounters: 2 has ½ of 11, ln(0.5 / 10.5) = −3.0445 nats = −528.9 Elo below 1; 3 has 4½ of 5, ln 9 = 381.7 above 0.
    let encounters = [met(0, 1, 5.0, 2.0, 5.0), met(1, 2, 10.0, 0.0, 0.0), met(0, 3, 0.0, 0.0, 4.0)];
    let found = ratings(4, &encounters, (0, 0.0)).unwrap();
    assert_near(found[1].elo, 0.0, 1e-6);
    assert_near(found[2].elo, -528.9, 0.1);
    assert_near(found[3].elo, 381.7, 0.1);
    assert_eq!(found.iter().map(|r| r.assumed).collect::<Vec<_>>(), [false, false, true, true]);
    assert!(found[2].high - found[2].low > 400.0, "{:?}", found[2]);
    // A circle of one-sided encounters has a maximum: everybody is equal.
    let circle = [met(0, 1, 3.0, 0.0, 0.0), met(1, 2, 3.0, 0.0, 0.0), met(2, 0, 3.0, 0.0, 0.0)];
    for player in ratings(3, &circle, (0, 10.0)).unwrap() {
        assert_near(player.elo, 10.0, 1e-6);
        assert!(!player.assumed);
    }
    // Nothing but draws: equal, and not perfectly certain.
    let draws = ratings(2, &[met(0, 1, 0.0, 20.0, 0.0)], (0, 0.0)).unwrap();
    assert_near(draws[1].elo, 0.0, 1e-9);
    assert!(draws[1].high > 5.0 && draws[1].high < 60.0, "{:?}", draws[1]);
}

#[test]
fn tournaments_that_are_none() {
    let game = met(0, 1, 1.0, 0.0, 1.0);
    assert_eq!(ratings(3, &[game], (0, 0.0)), Err(StatsError::Unconnected { player: 2, anchor: 0 }));
    assert_eq!(ratings(3, &[game], (2, 0.0)), Err(StatsError::Unconnected { player: 0, anchor: 2 }));
    assert!(matches!(ratings(2, &[game], (2, 0.0)), Err(StatsError::Anchor { anchor: 2, .. })));
    assert!(matches!(ratings(2, &[game], (0, f64::NAN)), Err(StatsError::Anchor { .. })));
    for bad in [
        met(0, 0, 1.0, 0.0, 0.0),
        met(0, 5, 1.0, 0.0, 0.0),
        met(0, 1, -1.0, 0.0, 0.0),
        met(0, 1, f64::NAN, 0.0, 0.0),
    ] {
        assert!(matches!(ratings(2, &[bad], (0, 0.0)), Err(StatsError::Encounter { .. })), "{bad:?}");
    }
    // A lone anchor needs no games.
    assert_eq!(ratings(1, &[], (0, 7.0)).unwrap()[0].elo, 7.0);
    // Very unequal numbers of games are no difficulty.
    let far = ratings(3, &[met(0, 1, 1e7, 0.0, 1.0), met(1, 2, 1.0, 0.0, 1e6)], (0, 0.0)).unwrap();
    assert_near(far[2].elo, far[1].elo + 2400.0, 1e-3);
}
