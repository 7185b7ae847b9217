//! Who can be compared with whom: connections by games, and by points taken both ways.
//!
//! Ratings of two players can be compared at all if a chain of games joins them. The likelihood has a finite maximum if,
//! however the players are split in two groups, each group took points from the other (Ford 1957, "Solution of a ranking
//! problem from binary comparisons"), that is, if the graph "took points from" is strongly connected.

/// For each player the number of its component; two players have the same if a path leads from each to the other along
/// `edges` (from, to). Numbers are those of the component's first player.
pub fn strong_components(n_players: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut forward = vec![Vec::new(); n_players];
    let mut backward = vec![Vec::new(); n_players];
    for &(from, to) in edges {
        forward[from].push(to);
        backward[to].push(from);
    }
    // A component is what its first player reaches both ways. A search for each component is quick enough for the
    // hundreds of players of a tournament.
    let mut component = vec![usize::MAX; n_players];
    for player in 0..n_players {
        if component[player] != usize::MAX {
            continue;
        }
        let (down, up) = (reached(&forward, player), reached(&backward, player));
        for other in 0..n_players {
            if down[other] && up[other] {
                component[other] = player;
            }
        }
    }
    component
}

/// The first player that no chain of `games` (in either direction) joins with `player`.
pub fn unconnected(n_players: usize, games: &[(usize, usize)], player: usize) -> Option<usize> {
    let mut neighbours = vec![Vec::new(); n_players];
    for &(a, b) in games {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    reached(&neighbours, player).iter().position(|&found| !found)
}

/// Which players a walk from `start` along `edges` comes to, itself included.
fn reached(edges: &[Vec<usize>], start: usize) -> Vec<bool> {
    let mut found = vec![false; edges.len()];
    found[start] = true;
    let mut open = vec![start];
    while let Some(player) = open.pop() {
        for &next in &edges[player] {
            if !found[next] {
                found[next] = true;
                open.push(next);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components() {
        // 0 → 1 → 2 → 0 is one; 3 is reached but reaches nobody; 4 knows nobody.
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3)];
        assert_eq!(strong_components(5, &edges), [0, 0, 0, 3, 4]);
        assert_eq!(unconnected(5, &edges, 0), Some(4));
        assert_eq!(unconnected(4, &edges, 3), None);
        assert_eq!(unconnected(5, &edges, 4), Some(0));
    }
}
