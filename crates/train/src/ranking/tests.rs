//! Trainers on small move sets.

use model::features::set::FeatureSet;
use model::ranking::{Language, Teams};
use model::tactics::PatternTable;
use records::RecordedGame;

use super::*;
use crate::gammas::harvest;
use crate::made_games::MadeGames;

/// Games in which both sides like to play beside the last move.
fn games(n: usize) -> Vec<RecordedGame> {
    MadeGames { seed: 5, n_moves: 30, strays: Some(0.3) }.games(n)
}

const DRAW: DrawSettings = DrawSettings { positions: 8, seed: 1, memory: 1 << 28 };

fn methods() -> [RankingMethod; 6] {
    [
        RankingMethod::Mm(MmSettings::default()),
        RankingMethod::Sgd(SgdSettings::default()),
        RankingMethod::Tm(TmSettings::default()),
        RankingMethod::FullRanking(FullRankingSettings::new(PairModel::BradleyTerry)),
        RankingMethod::FullRanking(FullRankingSettings::new(PairModel::ThurstoneMosteller)),
        RankingMethod::Latent(LatentSettings::default()),
    ]
}

/// Move sets of made-up teams: three features, of which two may stand together.
fn small() -> (Language, MoveSets) {
    let language =
        Language { groups: FeatureSet::parse("take,atari").unwrap(), circles: PatternTable::new(&[]) };
    let mut sets = MoveSets::new(&language);
    let mut teams = Teams::default();
    let mut push = |moves: &[&[u32]], played: usize, times: usize| {
        teams.clear();
        for team in moves {
            teams.extend(team);
            teams.end();
        }
        (0..times).for_each(|_| sets.push(&teams, played));
    };
    // Features of `take` begin at 2, those of `atari` at 11.
    push(&[&[3], &[4], &[]], 0, 5);
    push(&[&[3], &[4], &[]], 1, 3);
    push(&[&[3], &[4], &[]], 2, 2);
    push(&[&[3, 12], &[4], &[12]], 0, 4);
    push(&[&[3, 12], &[4], &[12]], 1, 2);
    push(&[&[3, 12], &[4], &[12]], 2, 1);
    push(&[&[4, 12], &[3], &[]], 0, 3);
    push(&[&[4, 12], &[3], &[]], 1, 1);
    push(&[&[4, 12], &[3], &[]], 2, 1);
    (language, sets)
}

#[test]
fn a_step_of_mm_worked_by_hand() {
    // One position, two moves: feature 3 is played, feature 4 is not; one feature alone, no prior.
    let (_, small) = small();
    let mut mm = Mm::new(small.n_features(), MmSettings { prior: 0.0 });
    mm.round(&small, &Round { number: 0, of: 1, seed: 1 });
    // With γ = 1, W_3 = 5 + 4 + 1 = 10 of 22 · 1/3 expected. W_4 = 3 + 2 + 3 = 8.
    let Rows::Weights(weights) = mm.rows() else { panic!("weights") };
    assert!((weights[3] - (10.0f32 / (22.0 / 3.0)).ln()).abs() < 1e-5, "{weights:?}");
    assert!((weights[4] - (8.0f32 / (22.0 / 3.0)).ln()).abs() < 1e-5);
    // Then `atari`, with these: in 7 positions γ3 + 1 of γ3 + γ4 + 1, in 5 γ4 of the same; W = 4 + 1 + 3.
    let (a, b) = (10.0 / (22.0 / 3.0), 8.0 / (22.0 / 3.0));
    let expected = 7.0 * (a + 1.0) / (a + b + 1.0) + 5.0 * b / (a + b + 1.0);
    assert!((weights[12] - (8.0f32 / expected).ln()).abs() < 1e-5, "{}", weights[12]);
}

#[test]
fn mm_and_sgd_reach_the_same_likelihood() {
    let (_, sets) = small();
    let run = |method, n_rounds| {
        let training = Training { method, n_rounds, seed: 1, sets: &sets, kept: &sets };
        let (rows, curve) = training.run::<BadCheckpoint>(None, |_| Ok(())).unwrap();
        (rows, curve.last().unwrap().log_loss)
    };
    let (a, mm) = run(RankingMethod::Mm(MmSettings { prior: 0.0 }), 200);
    let (b, sgd) = run(RankingMethod::Sgd(SgdSettings { rate: 0.15, pull: 0.0 }), 4000);
    assert!((mm - sgd).abs() < 5e-5, "{mm} {sgd}");
    for feature in [3, 4, 12] {
        assert!((a.row(feature)[0] - b.row(feature)[0]).abs() < 0.01, "{a:?} {b:?}");
    }
}

#[test]
fn every_trainer_learns_a_habit() {
    let games = games(150);
    let language = Language { groups: FeatureSet::all(), circles: harvest(&games, 20) };
    let (sets, n_games) = draw(&games[15..], &language, &DRAW);
    let (kept, _) = draw(&games[..15], &language, &DRAW);
    assert!(n_games == 135 && sets.len() > 800, "{}", sets.len());
    for method in methods() {
        let training = Training { method, n_rounds: 5, seed: 1, sets: &sets, kept: &kept };
        let (_, curve) = training.run::<BadCheckpoint>(None, |_| Ok(())).unwrap();
        // Nobody knows anything: ln 68 = 4.2. Knowing the habit: about 2.4.
        let last = curve.last().unwrap();
        assert!(curve.len() == 5 && last.log_loss < 3.2 && last.top20 > 0.6, "{method:?} {last:?}");
    }
}

#[test]
fn who_goes_on_ends_where_an_undisturbed_training_does() {
    let games = games(30);
    let language = Language { groups: FeatureSet::all(), circles: harvest(&games, 5) };
    let (sets, _) = draw(&games, &language, &DRAW);
    for method in methods() {
        let training = Training { method, n_rounds: 4, seed: 9, sets: &sets, kept: &sets };
        let mut kept = Vec::new();
        let whole = training
            .run::<BadCheckpoint>(None, |checkpoint| {
                kept.push(checkpoint.to_bytes("a test"));
                Ok(())
            })
            .unwrap();
        for bytes in &kept[..3] {
            let begun = Checkpoint::from_bytes(bytes, "a test").unwrap();
            assert_eq!(training.run::<BadCheckpoint>(Some(&begun), |_| Ok(())).unwrap(), whole, "{method:?}");
        }
    }
}

#[test]
fn records_hold_what_was_put_into_them() {
    let games = games(20);
    let language = Language { groups: FeatureSet::all(), circles: harvest(&games, 3) };
    let mut sets = MoveSets::new(&language);
    let mut scratch = sets::Scratch::new(&language);
    let mut expected = Vec::new();
    for game in &games {
        let _ = game.replay(goban::Rules::CHINESE, 0.0, |position, play| {
            if sets.push_position(position, play.vertex, &mut scratch) {
                expected.push((scratch.teams().clone(), sets.played(sets.len() - 1)));
            }
            Ok::<_, std::convert::Infallible>(true)
        });
    }
    let columns = sets.columns();
    let mut teams = Teams::default();
    for (position, (whole, played)) in expected.iter().enumerate() {
        sets.teams(position, &mut teams);
        assert_eq!((teams.len(), sets.played(position)), (whole.len(), *played));
        for (mv, (team, whole)) in sets.moves(position).zip(teams.iter().zip(whole.iter())) {
            let sorted = |team: &[u32]| {
                let mut team = team.to_vec();
                team.sort_unstable();
                team
            };
            assert_eq!(sorted(team), sorted(whole));
            let by_column: Vec<u32> =
                columns.iter().filter_map(|column| Some(sets.feature(column, mv)? as u32)).collect();
            assert_eq!(sorted(&by_column), sorted(whole));
        }
    }
}
