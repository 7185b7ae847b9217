//! Options that mean the same in every command.

use std::num::IntErrorKind;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use goban::{Rules, Size};
use lab::Entrant;
use lab::entrant::{SearchMeans, parse_memory};
use lab::hall::MAX_PARALLEL;
use mcts::Settings;
use player::boardgame::{self, GameChoice, SearchOpponent, Tabletop};
use player::levels::{self, Level};
use player::nets::NetFile;
use player::{Manners, SearchPlayer, recipes};

use crate::folders;
use lab::clock;
use lab::game::values;
use recipe::Recipe;

/// Which game is played.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameOptions {
    #[arg(long, default_value = "go", value_name = "GAME", help = game_help())]
    pub(crate) game: String,
    /// Board size: 9, 13, 19, any side from 2 to 25, or WIDTHxHEIGHT [default: 9; hex: 11, from 2 to 19]
    #[arg(long, value_parser = parse_sides, allow_negative_numbers = true)]
    pub(crate) size: Option<Sides>,
    /// Points for White, in Go [default: 7.5]
    #[arg(long, value_parser = parse_points, allow_negative_numbers = true)]
    pub(crate) komi: Option<f32>,
    /// Rules of Go by name, with switches of their own if wanted: chinese, tromp-taylor, japanese,suicide=true [default:
    /// chinese]
    #[arg(long, value_parser = parse_rules)]
    pub(crate) rules: Option<Rules>,
}

/// Columns and rows of a board of any game. Which of them there are differs from game to game.
pub(crate) type Sides = [usize; 2];

/// A game of Go, with everything said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GoTerms {
    pub(crate) size: Size,
    pub(crate) komi: f32,
    pub(crate) rules: Rules,
}

impl GameOptions {
    /// The game, if it is not Go. What only Go has is refused then.
    pub(crate) fn board(&self) -> Result<Option<GameChoice>> {
        let choice = board_game(&self.game, self.size)?;
        if let Some(game) = &choice {
            only_go(game, &[("--komi", self.komi.is_some()), ("--rules", self.rules.is_some())])?;
        }
        Ok(choice)
    }

    /// The empty board of the game, Go or another, and the game in words.
    pub(crate) fn tabletop(&self) -> Result<(Box<dyn Tabletop>, String)> {
        if let Some(game) = self.board()? {
            return Ok((game.board(), format!("{game} {}", game.size())));
        }
        let GoTerms { size, komi, rules } = self.go(9)?;
        let board = boardgame::go::board(size, komi, rules);
        Ok((board, format!("go {size}, komi {komi}, {rules} rules")))
    }

    /// The game of Go, with the side of its board where nobody says.
    pub(crate) fn go(&self, side: usize) -> Result<GoTerms> {
        let [width, height] = self.size.unwrap_or([side; 2]);
        let size = Size::new(width, height).context("--size")?;
        Ok(GoTerms { size, komi: self.komi.unwrap_or(7.5), rules: self.rules.unwrap_or(Rules::CHINESE) })
    }
}

/// The help of `--game`.
pub(crate) fn game_help() -> String {
    let others: Vec<String> =
        boardgame::GAMES.iter().map(|entry| format!("{} ({})", entry.name, entry.about)).collect();
    format!("The game: go, or {}", others.join(", "))
}

/// The game of `--game` on a board of `--size`; none for Go.
pub(crate) fn board_game(game: &str, size: Option<Sides>) -> Result<Option<GameChoice>> {
    GameChoice::parse(game, size).map_err(|why| anyhow!("--game {game}: {why}"))
}

/// Refuses options that mean something in Go alone, if they are given.
pub(crate) fn only_go(game: &GameChoice, given: &[(&str, bool)]) -> Result<()> {
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => bail!("{option}: {} does not have it; it is for --game go", game.entry().name),
        None => Ok(()),
    }
}

/// How a player of ours thinks.
#[derive(Args, Clone, Debug)]
pub(crate) struct ThinkOptions {
    /// The recipe: a name from `tengen list` or a file whose name ends in .recipe, key=value pairs, or such pairs after
    /// either. For games other than Go, default is the game's own recipe
    #[arg(long, default_value = "default")]
    pub(crate) recipe: String,
    /// Simulations for each move, not counting those kept in the tree from earlier moves. The search stops earlier only when
    /// a --time given as well is over. Each simulation ends with leaf.n playouts, usually one
    #[arg(long, value_parser = parse_count, allow_negative_numbers = true)]
    pub(crate) playouts: Option<u64>,
    /// Seconds for each move. Without this and --playouts: as the clock allows, if there is one, else 10000 simulations
    /// (`play`: one second, `bench search`: 20000 simulations)
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    #[command(flatten)]
    pub(crate) net: NetOptions,
    #[command(flatten)]
    pub(crate) means: MeansOptions,
    /// Seed of everything random: the same seed and one thread give the same game
    #[arg(long, default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

/// How strong a player of ours is.
#[derive(Args, Clone, Debug)]
pub(crate) struct LevelOptions {
    /// Play as a level of the page, from 1 (a beginner) to 13 (full strength), or to 6 with --net, instead of a recipe and a
    /// budget; docs/levels.md tells how strong they are. No level passes early
    #[arg(long, value_name = "N", conflicts_with_all = ["recipe", "playouts", "time"])]
    level: Option<String>,
}

impl LevelOptions {
    /// Whether a level is named.
    pub(crate) fn is_given(&self) -> bool {
        self.level.is_some()
    }

    /// The level, if one is named.
    pub(crate) fn find(&self, net: &NetOptions) -> Result<Option<&'static Level>> {
        let Some(text) = &self.level else { return Ok(None) };
        levels::parse(text, net.is_given()).map(Some).map_err(|why| anyhow!("--level {why}"))
    }

    /// Takes recipe and budget of the level, and its manners, if one is named.
    pub(crate) fn apply(&self, think: &mut ThinkOptions, manners: Manners) -> Result<Manners> {
        let Some(level) = self.find(&think.net)? else { return Ok(manners) };
        think.recipe = level.recipe.to_owned();
        think.playouts = level.playouts;
        think.time = Some(level.time.as_secs_f64());
        Ok(Level::manners(manners))
    }
}

/// Which network is asked.
#[derive(Args, Clone, Debug)]
pub(crate) struct NetOptions {
    /// A network: a file (KataGo's .bin.gz, .txt.gz or unpacked, or .net of our own) or a name from `tengen net list`. The recipe
    /// is then katago, unless --recipe names another one that uses a network (net=loaded)
    #[arg(long, value_name = "FILE|NAME")]
    net: Option<String>,
    /// A second network that tells value, score and owners in place of the first, which keeps the policy: AlphaGo had two. Each
    /// evaluation then takes the time of both
    #[arg(long, value_name = "FILE|NAME", requires = "net")]
    value_net: Option<String>,
}

impl NetOptions {
    /// Whether a network is named.
    pub(crate) fn is_given(&self) -> bool {
        self.net.is_some()
    }

    /// Loads the network, if one is named, for a player of Go by the recipe that `recipe` says.
    pub(crate) fn load(&self, recipe: &str) -> Result<Option<NetFile>> {
        self.load_for(recipe, "go")
    }

    /// The same for a player of this game.
    fn load_for(&self, recipe: &str, game: &str) -> Result<Option<NetFile>> {
        let Some(text) = &self.net else { return Ok(None) };
        let recipe = self.recipe(recipe);
        if !recipes::asks_net(&parse_recipe(recipe)?) {
            bail!("--net {text}: --recipe {}", recipes::asks_no_net(recipe, "katago"));
        }
        let nets = folders::nets();
        let net = nets.load_for(text, game).with_context(|| format!("--net {text}"))?;
        let Some(text) = &self.value_net else { return Ok(Some(net)) };
        let value = nets.load_for(text, game).with_context(|| format!("--value-net {text}"))?;
        Ok(Some(net.with_value(value)))
    }

    /// The recipe as text; with a network `default` is the one that asks it.
    pub(crate) fn recipe<'a>(&self, text: &'a str) -> &'a str {
        if self.net.is_some() && text.trim() == "default" { "katago" } else { text }
    }
}

/// When a player of ours resigns or passes.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct MannerOptions {
    /// Resign when the best move is expected to win less often than this, or never
    #[arg(long, default_value = "0.05", value_name = "RATE|never", value_parser = parse_rate, allow_negative_numbers = true)]
    resign: WinRateLimit,
    /// Pass when the best move is expected to win less often than this, or never; GoYui did at 0.1
    #[arg(long, default_value = "never", value_name = "RATE|never", value_parser = parse_rate, allow_negative_numbers = true)]
    pass_below: WinRateLimit,
}

/// A win rate below which something is done, if ever.
#[derive(Clone, Copy, Debug, PartialEq)]
struct WinRateLimit(Option<f32>);

fn parse_rate(text: &str) -> Result<WinRateLimit> {
    Ok(WinRateLimit(values::parse_rate(text)?))
}

impl MannerOptions {
    /// Whether a rate is given below which to pass.
    pub(crate) fn passes(self) -> bool {
        self.pass_below.0.is_some()
    }

    /// The manners that these options describe.
    pub(crate) fn manners(self) -> Manners {
        Manners { resign_below: self.resign.0, pass_below: self.pass_below.0, ..Manners::default() }
    }
}

/// Memory and threads of a search. An engine with more of it is still the same engine.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct MeansOptions {
    /// Bytes that the tree may take: 64M (million), 1.5G, 500K, 256MiB (times 1048576), or a plain number
    #[arg(long, default_value = "1GiB", value_name = "SIZE", value_parser = parse_memory, allow_hyphen_values = true)]
    pub(crate) memory: usize,
    /// Threads that search the one tree; with more than one the same seed no longer gives the same game
    #[arg(long, default_value_t = 1, value_parser = parse_threads, allow_negative_numbers = true)]
    pub(crate) threads: usize,
}

impl MeansOptions {
    /// The settings of a search with these means.
    pub(crate) fn settings(self, seed: u64) -> Result<Settings> {
        let Self { memory, threads } = self;
        Ok(SearchMeans { memory, threads }.settings(seed)?)
    }
}

// What follows reads the values of options. Minus signs are let through to it, since clap's own refusal of them speaks of
// an unknown argument; and each says what was expected, which the errors of numbers do not.

/// The recipe that --recipe gives as text.
pub(crate) fn parse_recipe(text: &str) -> Result<Recipe> {
    recipes::parse(text).with_context(|| recipe_option(text))
}

/// The option --recipe with its value, for errors.
pub(crate) fn recipe_option(text: &str) -> String {
    format!("--recipe {text:?}")
}

/// A number of something of which there must be one at least.
pub(crate) fn parse_count(text: &str) -> Result<u64> {
    match text.parse::<u64>() {
        Ok(n) if n > 0 => Ok(n),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => {
            bail!("expected a whole number, at most {}", u64::MAX)
        }
        _ => bail!("expected a whole number, at least 1"),
    }
}

/// A number of something of which there must be one at least and may be `most`.
pub(crate) fn parse_up_to(text: &str, most: u64) -> Result<u64> {
    match text.parse() {
        Ok(n) if (1..=most).contains(&n) => Ok(n),
        _ => bail!("expected a whole number from 1 to {most}"),
    }
}

/// Refuses options that are 0, given by name and value.
pub(crate) fn refuse_zeros(options: &[(&str, u64)]) -> Result<()> {
    match options.iter().find(|(_, value)| *value == 0) {
        Some((name, _)) => bail!("{name} 0: expected at least 1"),
        None => Ok(()),
    }
}

/// Games or positions at the same time.
pub(crate) fn parse_parallel(text: &str) -> Result<u64> {
    parse_up_to(text, MAX_PARALLEL as u64)
}

/// Handicap stones as --handicap has them.
pub(crate) fn check_handicap(n: usize) -> Result<()> {
    if n == 1 {
        bail!("--handicap 1: {}", values::ONE_STONE);
    }
    Ok(())
}

/// A number of something of which there may be none.
pub(crate) fn parse_whole(text: &str) -> Result<usize> {
    text.parse().map_err(|_| anyhow!("expected a whole number from 0"))
}

/// The seed of random numbers.
pub(crate) fn parse_seed(text: &str) -> Result<u64> {
    text.parse().map_err(|_| anyhow!("expected a whole number from 0 to {}", u64::MAX))
}

/// Points for White; which of them a game can have is the position's business.
pub(crate) fn parse_points(text: &str) -> Result<f32> {
    text.parse().map_err(|_| anyhow!("expected a number of points such as 7.5"))
}

/// A time that can be waited for.
pub(crate) fn parse_seconds(text: &str) -> Result<f64> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && Duration::try_from_secs_f64(seconds).is_ok() => Ok(seconds),
        Ok(seconds) if seconds > 0.0 => {
            bail!("too long to wait for; expected seconds such as 2 or 0.5")
        }
        _ => bail!("{}", clock::EXPECTED_SECONDS),
    }
}

/// A number of threads; how many are too many is the search's business.
fn parse_threads(text: &str) -> Result<usize> {
    text.parse().map_err(|_| anyhow!("expected a whole number of threads, such as 2"))
}

/// `9`, `13x9`.
pub(crate) fn parse_size(text: &str) -> Result<Size> {
    Ok(values::parse_size(text)?)
}

/// The same for a board of any game.
pub(crate) fn parse_sides(text: &str) -> Result<Sides> {
    Ok(values::sides(text)?)
}

pub(crate) fn parse_rules(text: &str) -> Result<Rules> {
    Ok(text.parse()?)
}

impl ThinkOptions {
    /// The player that these options describe.
    pub(crate) fn player(&self) -> Result<SearchPlayer> {
        self.player_with(self.load_net()?.as_ref())
    }

    /// The network that these options name, if any.
    pub(crate) fn load_net(&self) -> Result<Option<NetFile>> {
        self.net.load(&self.recipe)
    }

    /// The same player with a network that is loaded already.
    pub(crate) fn player_with(&self, net: Option<&NetFile>) -> Result<SearchPlayer> {
        let text = self.recipe_text();
        let settings = Settings { net: net.map(NetFile::loaded), ..self.means.settings(self.seed)? };
        recipes::player(text, &settings).with_context(|| recipe_option(text))
    }

    /// The recipe for Go, as text; with a network `default` is the one that asks it.
    pub(crate) fn recipe_text(&self) -> &str {
        self.net.recipe(&self.recipe)
    }

    /// The recipe for a board game beside Go, as text; `default` is the game's own, and with a network the one that asks it.
    pub(crate) fn recipe_for(&self, game: &GameChoice) -> &str {
        let text = self.recipe_text();
        if text.trim() == "default" { game.entry().recipe } else { text }
    }

    /// The player of a board game beside Go that these options describe.
    pub(crate) fn opponent(&self, game: &GameChoice, manners: Manners) -> Result<SearchOpponent> {
        let text = self.recipe_for(game);
        let entrant: Entrant = text.parse().with_context(|| recipe_option(text))?;
        entrant.check_game(game).context("--recipe")?;
        let recipe = parse_recipe(text)?;
        Ok(SearchOpponent::new(text, recipe, self.board_settings(game)?, manners))
    }

    /// What surrounds the recipe of a board game beside Go.
    pub(crate) fn board_settings(&self, game: &GameChoice) -> Result<Settings> {
        let net = self.net.load_for(&self.recipe, game.entry().name)?;
        Ok(Settings { net: net.as_ref().map(NetFile::loaded), ..self.means.settings(self.seed)? })
    }

    /// What surrounds the recipe.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let net = self.load_net()?;
        Ok(Settings { net: net.as_ref().map(NetFile::loaded), ..self.means.settings(self.seed)? })
    }

    /// Refuses what no search can do.
    pub(crate) fn check(&self) -> Result<()> {
        self.means.settings(self.seed).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_they_can_be() {
        assert_eq!((parse_count("1").unwrap(), parse_seed("0").unwrap()), (1, 0));
        assert_eq!((parse_seconds("0.5").unwrap(), parse_points("-7.5").unwrap()), (0.5, -7.5));
        for text in ["0", "-1", "1.5", "", "many"] {
            assert_eq!(parse_count(text).unwrap_err().to_string(), "expected a whole number, at least 1");
        }
        let error = parse_count("99999999999999999999").unwrap_err().to_string();
        assert_eq!(error, "expected a whole number, at most 18446744073709551615");
        for text in ["-1", "1e3", "18446744073709551616"] {
            let error = parse_seed(text).unwrap_err().to_string();
            assert_eq!(error, "expected a whole number from 0 to 18446744073709551615");
        }
        for text in ["0", "-1", "257", "x"] {
            let error = parse_parallel(text).unwrap_err().to_string();
            assert_eq!(error, "expected a whole number from 1 to 256");
        }
        assert_eq!((parse_parallel("256").unwrap(), parse_whole("0").unwrap()), (256, 0));
        assert_eq!(parse_whole("-3").unwrap_err().to_string(), "expected a whole number from 0");
        // The largest times have no end that a clock could show.
        for text in ["0", "-1", "nan", "soon"] {
            let error = parse_seconds(text).unwrap_err().to_string();
            assert_eq!(error, "expected a positive number of seconds such as 2 or 0.5");
        }
        for text in ["inf", "1e300"] {
            let error = parse_seconds(text).unwrap_err().to_string();
            assert!(error.starts_with("too long to wait for"), "{error}");
        }
    }

    #[test]
    fn rates_are_shares_or_never() {
        assert_eq!(parse_rate("never").unwrap(), WinRateLimit(None));
        assert_eq!(parse_rate("0.1").unwrap(), WinRateLimit(Some(0.1)));
        assert_eq!(parse_rate("0.05").unwrap().0, Manners::default().resign_below);
        for text in ["", "5", "-0.1", "nan", "always"] {
            assert!(
                parse_rate(text).unwrap_err().to_string().contains("expected a number from 0 to 1"),
                "{text}"
            );
        }
    }
}
