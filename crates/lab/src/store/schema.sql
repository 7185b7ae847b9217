-- What the experiment is: name, file (its text), path (where it was).
CREATE TABLE info (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- One row for each time the experiment was played on. Times are seconds since 1970, durations seconds.
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  started REAL NOT NULL,
  ended REAL NOT NULL,              -- of the last game that was finished
  program TEXT NOT NULL,            -- with its version
  revision TEXT,                    -- the commit it was built from
  bench INTEGER,                    -- its bench number
  cpu TEXT NOT NULL,
  cores INTEGER NOT NULL,
  os TEXT NOT NULL,
  parallel INTEGER NOT NULL,        -- tables
  games INTEGER NOT NULL,           -- finished
  table_seconds REAL NOT NULL,      -- tables times the time until the last game was finished
  player_seconds REAL NOT NULL      -- of these, spent in the players
);

CREATE TABLE players (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  family TEXT NOT NULL,             -- the name of the sweep, else the name
  varied TEXT NOT NULL,             -- JSON: [[key, value], …] of the sweep
  text TEXT NOT NULL,               -- as it was given
  canonical TEXT NOT NULL           -- the recipe with all its values
);

CREATE TABLE pairings (
  id INTEGER PRIMARY KEY,
  team TEXT NOT NULL,               -- the group of the file
  a INTEGER NOT NULL REFERENCES players (id),
  b INTEGER NOT NULL REFERENCES players (id),
  terms TEXT NOT NULL,              -- JSON
  seed INTEGER NOT NULL,
  stop TEXT NOT NULL,               -- JSON
  planned INTEGER,                  -- place in the file; none if the file no longer has it: its games are kept
  UNIQUE (team, a, b)
);

CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  pairing INTEGER NOT NULL REFERENCES pairings (id),
  number INTEGER NOT NULL,          -- from 1; 2k-1 and 2k are a colour pair
  run INTEGER NOT NULL REFERENCES runs (id),
  black TEXT NOT NULL,              -- a or b
  winner TEXT,                      -- a, b or nobody
  result TEXT NOT NULL,
  reason TEXT NOT NULL,
  details TEXT,
  note TEXT,                        -- the referee's remark, an engine's last output
  margin REAL,                      -- A's points minus B's, if the game was counted
  opening TEXT NOT NULL,            -- its name; empty for the empty board
  moves INTEGER NOT NULL,
  n_moves_a INTEGER NOT NULL,
  n_moves_b INTEGER NOT NULL,
  seconds_a REAL NOT NULL,
  seconds_b REAL NOT NULL,
  simulations_a INTEGER NOT NULL,
  simulations_b INTEGER NOT NULL,
  main_used_a REAL,
  main_used_b REAL,
  seed_a TEXT NOT NULL,
  seed_b TEXT NOT NULL,
  started REAL NOT NULL,
  ended REAL NOT NULL,
  sgf TEXT NOT NULL,
  UNIQUE (pairing, number)
);

CREATE TABLE moves (
  game INTEGER NOT NULL REFERENCES games (id),
  ply INTEGER NOT NULL,             -- from 1, after handicap and opening
  color TEXT NOT NULL,              -- black or white
  vertex TEXT NOT NULL,
  playouts INTEGER,
  seconds REAL NOT NULL,
  value REAL,                       -- how often the mover expected to win, 0 to 1
  PRIMARY KEY (game, ply)
) WITHOUT ROWID;

-- Searches that were watched: a row for each look at each move.
CREATE TABLE traces (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  player INTEGER NOT NULL REFERENCES players (id),
  run INTEGER NOT NULL REFERENCES runs (id),
  settings TEXT NOT NULL,           -- JSON
  csv TEXT NOT NULL,                -- as of `tengen explain --trace`
  UNIQUE (name, player)
);
