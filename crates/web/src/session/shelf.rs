//! A visitor's games: one of them lies on the table, the others are kept until the visitor deletes them or the server needs the
//! room (`eviction`).

use std::sync::Arc;

use super::keeper::{Keeper, game_name};
use super::{Desk, Session, end};
use crate::protocol::tell::{GameCard, MyGames};
use crate::protocol::{Answer, Kind, Refusal, Tell, ask};
use crate::table::{Table, seconds_of};

/// The game of a session that was kept last, with its number. One that can no longer be read is left where it is, for
/// whoever wants to look at it.
pub(super) fn newest(keeper: &Keeper, session: &str) -> Option<(u32, Table)> {
    let mut games = keeper.games_of(session);
    games.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    games.into_iter().find_map(|(number, _)| Some((number, read(keeper, session, number)?)))
}

fn read(keeper: &Keeper, session: &str, number: u32) -> Option<Table> {
    let table = Table::from_kept(&keeper.find(&game_name(session, number))?);
    let unread = |refusal: &Refusal| log::warn!("a kept game cannot be read: {refusal}");
    table.inspect_err(unread).ok()
}

impl Session {
    /// Puts a game on the table as a new one. The one that lay there stays kept, unless nothing had happened in it.
    pub(super) fn put_new(&self, desk: &mut Desk, table: Table) -> Answer<()> {
        if !desk.table.is_blank() {
            let games = self.means.keeper.games_of(&self.id);
            let max = self.means.bounds.games_of_session;
            if games.len() >= max {
                return Err(Refusal::new(
                    Kind::Busy,
                    format!("{max} games are kept, which is the most; delete one under My games first"),
                ));
            }
            let last = games.iter().map(|(number, _)| *number).max().unwrap_or(0);
            desk.number = last.max(desk.number) + 1;
        }
        put(desk, table);
        Ok(())
    }

    /// The visitor's games, as all windows are told. A file is read once, and again only when it has changed.
    pub(super) fn my_games(&self, desk: &mut Desk) -> Tell {
        let mut kept = self.means.keeper.games_of(&self.id);
        kept.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        let mut cards = std::mem::take(&mut desk.cards);
        let mut games: Vec<GameCard> = Vec::new();
        for (number, time) in kept {
            let changed = seconds_of(time);
            if number == desk.number {
                games.push(desk.table.card(number, changed));
                continue;
            }
            let known = cards.remove(&number).filter(|(of, _)| *of == time).map(|(_, card)| card);
            let read = || Some(read(&self.means.keeper, &self.id, number)?.card(number, changed));
            if let Some(card) = known.or_else(read) {
                desk.cards.insert(number, (time, card.clone()));
                games.push(card);
            }
        }
        Tell::MyGames(MyGames { games, max: self.means.bounds.games_of_session })
    }

    /// Puts one of the kept games on the table.
    pub(super) fn open_game(self: &Arc<Self>, number: u32) -> Answer<()> {
        let mut desk = self.desk()?;
        if number != desk.number {
            let table = read(&self.means.keeper, &self.id, number).ok_or_else(|| unknown(number))?;
            // A board on which nothing has happened is not worth a place.
            if desk.table.is_blank() {
                self.means.keeper.delete(&game_name(&self.id, desk.number))?;
            }
            desk.number = number;
            put(&mut desk, table);
        }
        self.changed(&mut desk, true)?;
        let games = self.my_games(&mut desk);
        self.tell(&games);
        Ok(())
    }

    pub(super) fn name_game(&self, ask: &ask::NameGame) -> Answer<()> {
        let mut desk = self.desk()?;
        let keeper = &self.means.keeper;
        if ask.id == desk.number {
            desk.table.rename(&ask.name)?;
            keeper.keep(&game_name(&self.id, ask.id), &desk.table.to_kept()?, self.origin.network)?;
            self.tell(&super::game_of(&desk));
        } else {
            let mut table = read(keeper, &self.id, ask.id).ok_or_else(|| unknown(ask.id))?;
            table.rename(&ask.name)?;
            keeper.keep(&game_name(&self.id, ask.id), &table.to_kept()?, self.origin.network)?;
        }
        let games = self.my_games(&mut desk);
        self.tell(&games);
        Ok(())
    }

    /// Deletes a game. In place of the one on the table the one that was kept last is put there.
    pub(super) fn delete_game(self: &Arc<Self>, number: u32) -> Answer<()> {
        let mut desk = self.desk()?;
        let keeper = &self.means.keeper;
        if number != desk.number && !keeper.games_of(&self.id).iter().any(|(kept, _)| *kept == number) {
            return Err(unknown(number));
        }
        keeper.delete(&game_name(&self.id, number))?;
        if number == desk.number {
            match newest(keeper, &self.id) {
                Some((next, table)) => {
                    desk.number = next;
                    put(&mut desk, table);
                    self.changed(&mut desk, true)?;
                }
                None => {
                    put(&mut desk, Table::usual()?);
                    self.tell(&super::game_of(&desk));
                }
            }
        }
        let games = self.my_games(&mut desk);
        self.tell(&games);
        Ok(())
    }
}

/// Another game lies on the table; nobody thinks about the old one any longer.
fn put(desk: &mut Desk, table: Table) {
    let serial = desk.table.serial();
    desk.table = table.after(serial);
    desk.engine = None;
    desk.trouble = None;
    desk.lesson = None;
    desk.is_unchecked = false;
    end(&mut desk.thinking);
    end(&mut desk.hint);
}

fn unknown(number: u32) -> Refusal {
    Refusal::new(Kind::Unknown, format!("you have no game {number}"))
}
