//! Simulations of a recipe from the empty board: `search_speed [SIDE] [SIMULATIONS] [RECIPE]`.

use goban::{AnyBoard, Size, with_board};
use mcts::{GoGame, Limits, ROOT, Report, Search, Settings};
use recipe::{Recipe, Shelf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let side = args.next().map_or(Ok(9), |side| side.parse())?;
    let simulations = args.next().map_or(Ok(20_000), |n| n.parse())?;
    let recipe = Recipe::parse(&ROOT, &Shelf::default(), &args.next().unwrap_or_default())?;
    let any = AnyBoard::new(Size::square(side)?);
    let start = std::time::Instant::now();
    let report: Report = with_board!(&any, |board| {
        let mut game = GoGame::new(board.size(), 7.5);
        game.board = *board;
        Search::new(&recipe, game, &Settings::default())?.run(&Limits::simulations(simulations))
    });
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{simulations} simulations in {seconds:.3} s, {:.0} per second, {} nodes, {} bytes, value {:.4}",
        simulations as f64 / seconds,
        report.nodes,
        report.bytes,
        report.value
    );
    Ok(())
}
