//! `tengen gtp`.

use std::io::{self, BufReader};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use player::boardgame::engine::BoardEngine;
use player::engine::{self, Engine, LevelMeans};

use crate::options::{GameOptions, LevelOptions, MannerOptions, ThinkOptions, only_go};

/// The help of --size, whose default is another one here.
const SIZE: &str =
    "Board size: 9, 13, 19, any side from 2 to 25, or WIDTHxHEIGHT [default: 19; hex: 11, from 2 to 19]";

/// Points a side when nobody says.
const SIDE: usize = 19;

/// Speak GTP, the protocol of Go programs, on standard input and output
///
/// For GoGui, Sabaki, Lizzie, q5Go and servers such as CGOS, OGS and KGS. Size, komi and rules hold until the client sets
/// its own. With --game hex it speaks HTP, for HexGui.
#[derive(Args)]
// The protocol starts on a full board, and --version is the client's business here.
#[command(mut_arg("size", |size| size.help(SIZE)), disable_version_flag = true)]
pub(crate) struct Options {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    think: ThinkOptions,
    #[command(flatten)]
    level: LevelOptions,
    /// What the engine calls itself
    #[arg(long, default_value = "Tengen")]
    name: String,
    /// What the engine gives as its version. Ours has two digits for the last number, 0.203 for 0.2.3: Lizzie wants at least
    /// 15 behind the first dot
    #[arg(long, default_value_t = engine::version())]
    version: String,
    #[command(flatten)]
    manners: MannerOptions,
    /// Never resign, as --resign never
    #[arg(long, conflicts_with = "resign")]
    no_resign: bool,
    /// Think on the opponent's time, too. What is found then comes on top of --playouts, so that games are no longer the
    /// same for the same seed
    #[arg(long)]
    ponder: bool,
    /// Answer in the chat of KGS
    #[arg(long)]
    kgs_chat: bool,
}

impl Options {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let Self { game, mut think, level, name, version, manners, no_resign, ponder, kgs_chat } = self;
        think.check()?;
        if let Some(board) = game.board()? {
            let given = [
                ("--pass-below", manners.passes()),
                ("--ponder", ponder),
                ("--kgs-chat", kgs_chat),
                ("--level", level.is_given()),
            ];
            only_go(&board, &given)?;
            let player = think.opponent(&board, manners.manners())?;
            let options = engine::Options {
                description: format!("recipe: {}\nseed: {}", player.recipe(), think.seed),
                name,
                version,
                playouts: think.playouts,
                time: think.time.map(Duration::from_secs_f64),
                may_resign: !no_resign,
                ponder: false,
                has_chat: false,
                net: None,
                levels: None,
            };
            gtp::stderr::install_panic_hook();
            let mut engine = BoardEngine::new(Box::new(player), options, &board, think.seed);
            engine.serve(BufReader::new(io::stdin()), io::stdout().lock())?;
            return Ok(ExitCode::SUCCESS);
        }
        let game = game.go(SIDE)?;
        let usual = manners.manners();
        let manners = level.apply(&mut think, usual)?;
        let net = think.load_net()?;
        let player = think.player_with(net.as_ref())?.with_manners(manners);
        let settings = player.settings().clone();
        let mut description = format!("recipe: {}\nseed: {}", player.recipe(), think.seed);
        if let Some(net) = &net {
            description += &format!("\nnetwork: {} ({})", net.place(), net.identity());
        }
        let options = engine::Options {
            description,
            name,
            version,
            playouts: think.playouts,
            time: think.time.map(Duration::from_secs_f64),
            may_resign: !no_resign,
            ponder,
            has_chat: kgs_chat,
            net,
            levels: Some(LevelMeans { settings, manners: usual }),
        };
        let mut engine = Engine::new(Box::new(player), options, game.size, game.rules);
        engine.position_mut().set_komi(game.komi)?;
        gtp::stderr::install_panic_hook();
        engine.serve(BufReader::new(io::stdin()), io::stdout().lock())?;
        Ok(ExitCode::SUCCESS)
    }
}
