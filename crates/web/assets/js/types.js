// Types of what page and server say to each other, and of what views share. Nothing here runs.

/** @typedef {[Side, number]} Play A move: who and where; −1 is a pass. */

/**
 * A view: what main shows and tells of keys.
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {() => void} [enter]
 * @property {() => void} [leave]
 * @property {(event: KeyboardEvent) => boolean} [key] True if the key was used.
 */

export {};

// Below: written from the Rust types of the messages by the test `message_types`; not to be changed by hand.
/**
 * A message of the page.
 * @typedef {{
 *   'hello': Hello,
 *   'new-game': NewGame,
 *   'move': Move,
 *   'undo': Nothing,
 *   'hint': Nothing,
 *   'resign': Nothing,
 *   'toggle-dead': ToggleDead,
 *   'accept': Nothing,
 *   'resume': Nothing,
 *   'flag': Nothing,
 *   'save-game': Nothing,
 *   'load-game': LoadGame,
 *   'my-games': Nothing,
 *   'open-game': GameId,
 *   'name-game': NameGame,
 *   'delete-game': GameId,
 *   'play-from': PlayFrom,
 *   'teach': Teach,
 *   'play-on': Nothing,
 *   'read-record': ReadRecord,
 *   'edit-record': EditRecord,
 *   'problems': Nothing,
 *   'read-problems': ReadRecord,
 *   'nets': Nothing,
 *   'study': AskStudy,
 *   'survey': AskSurvey,
 *   'stop': Nothing,
 *   'open': Open,
 *   'experiments': Nothing,
 *   'standings': AskStandings,
 *   'games': AskGames,
 *   'replay': Replay,
 *   'runs': Nothing,
 *   'run': AskRun,
 *   'run-game': AskRunGame,
 * }} Asks
 */
/**
 * A message without fields.
 * @typedef {object} Nothing
 */
/**
 * Who is there.
 * @typedef {object} Hello
 * @property {string | null} [session] The session that the browser remembers.
 */
/**
 * A colour.
 * @typedef {'black' | 'white'} Side
 */
/**
 * A clock: main time, then periods of overtime of which each may be used again and again as long as it is kept.
 * @typedef {object} ClockTerms
 * @property {number} main Seconds of main time.
 * @property {number} period Seconds of a period.
 * @property {number} periods Periods; 0 for sudden death.
 */
/**
 * The terms of a game against Tengen.
 * @typedef {object} NewGame
 * @property {number} size The board's side, 5 to 25.
 * @property {Side} color The visitor's colour.
 * @property {number} komi Points for White.
 * @property {string} rules Rules by name.
 * @property {number} handicap Handicap stones; 0 or 2 and more.
 * @property {number} level How strong Tengen plays, from 1: of the levels with a network if there is one.
 * @property {string | null} [net] The network that Tengen asks, by the name that `nets` told; none: it plays by playouts.
 * @property {ClockTerms | null} [clock] The clock, if there is one.
 * @property {boolean} [teach] Whether costly moves of the visitor's are shown at once; for games without a clock.
 */
/**
 * A move.
 * @typedef {object} Move
 * @property {number} point Where.
 * @property {number} ply How many moves the page has seen; a move in an older position is refused.
 */
/**
 * A chain while counting.
 * @typedef {object} ToggleDead
 * @property {number} point One of its stones.
 */
/**
 * A game to go on with.
 * @typedef {object} LoadGame
 * @property {string} sgf The file's bytes in base64.
 * @property {Side} color The visitor's colour.
 * @property {number} level How strong Tengen plays, from 1.
 * @property {string | null} [net] The network that Tengen asks.
 */
/**
 * One of the visitor's games.
 * @typedef {object} GameId
 * @property {number} id Its number, as `my-games` told it.
 */
/**
 * A name for a game.
 * @typedef {object} NameGame
 * @property {number} id The game's number.
 * @property {string} name The name; empty: none.
 */
/**
 * Where a game is gone on with.
 * @typedef {object} PlayFrom
 * @property {number} ply How many of its moves are kept.
 */
/**
 * Whether the visitor is taught.
 * @typedef {object} Teach
 * @property {boolean} on Whether it is so from now on.
 */
/**
 * A record to look at.
 * @typedef {object} ReadRecord
 * @property {string} sgf The file's bytes in base64.
 * @property {number | null} [number] A number by which the page knows the answer.
 */
/**
 * A record and what was changed in it: either a file or the facts of a new one.
 * @typedef {object} EditRecord
 * @property {string | null} [sgf] The bytes of the file that was read, in base64. Its first game is changed.
 * @property {NewRecord | null} [game] The facts of a new record.
 * @property {Edit[]} edits The changes, in order.
 */
/**
 * The facts of a new record.
 * @typedef {object} NewRecord
 * @property {number} width Columns.
 * @property {number} height Rows.
 * @property {number} komi Points for White.
 * @property {string} rules Rules by name.
 * @property {number} handicap Handicap stones that White is paid for.
 * @property {[string, string]} players The players, Black first.
 * @property {string} result The result.
 * @property {SpotStep[]} steps What happens in the root.
 */
/**
 * A change of a record. Nodes have the numbers of their places in `tree`, root 0; new ones follow in the order they are added.
 * @typedef {{edit: 'add', parent: number, steps: SpotStep[]} | {edit: 'remove', node: number} | {edit: 'comment', node: number, text: string} | {edit: 'name', node: number, text: string} | {edit: 'marks', node: number, marks: Markup}} Edit
 */
/**
 * A position to search.
 * @typedef {object} AskStudy
 * @property {number} number A number by which the page knows the reports; larger ones are newer.
 * @property {Spot} spot The position.
 * @property {string[]} recipes One recipe or two: names, or key=value pairs, or pairs after a name.
 * @property {string | null} [net] The network for those of them that ask one; without details it is then asked by `katago` in place of `default`.
 * @property {number | null} [playouts] Simulations of each; none: until it is stopped.
 * @property {boolean} [detail] Whether reports hold every arm with what every model says, and the way there.
 * @property {number[]} [watch] Moves whose way is told even if they are hardly visited.
 */
/**
 * A game to review.
 * @typedef {object} AskSurvey
 * @property {number} number A number by which the page knows the answers; larger ones are newer.
 * @property {Spot} spot The last position of the game.
 * @property {number | null} [playouts] Simulations for each position, if no time is given.
 * @property {number | null} [time] Seconds for the whole game, about.
 * @property {string | null} [net] The network that is asked.
 */
/**
 * A place in a tree.
 * @typedef {object} Open
 * @property {number} number The study's number.
 * @property {number} search Which of its searches.
 * @property {number[]} line The moves from the root.
 */
/**
 * An experiment.
 * @typedef {object} AskStandings
 * @property {string} experiment Its name, as `experiments` told it.
 */
/**
 * Some games of an experiment.
 * @typedef {object} AskGames
 * @property {string} experiment The experiment's name.
 * @property {number} pairing The pairing's number, as `standings` told it.
 * @property {number} [skip] How many to pass over.
 */
/**
 * A game of an experiment.
 * @typedef {object} Replay
 * @property {string} experiment The experiment's name.
 * @property {number} pairing The pairing's number.
 * @property {number} game The game's number.
 */
/**
 * A run of self-play.
 * @typedef {object} AskRun
 * @property {string} run Its name, as `runs` told it.
 */
/**
 * A game of a run.
 * @typedef {object} AskRunGame
 * @property {string} run The run's name.
 * @property {number} game The game's number, as `run` told it.
 */
/**
 * A game up to the position that is meant.
 * @typedef {object} Spot
 * @property {number} width Columns.
 * @property {number} height Rows.
 * @property {number} komi Points for White.
 * @property {string} rules Rules by name, with switches of their own if there are any.
 * @property {number} [handicap] Handicap stones that White is paid for.
 * @property {SpotStep[]} steps What happened.
 */
/**
 * One thing that happened.
 * @typedef {[Side, number] | Setup} SpotStep
 */
/**
 * Stones put on or taken off outside of play.
 * @typedef {object} Setup
 * @property {number[]} [black] Points that become black.
 * @property {number[]} [white] Points that become white.
 * @property {number[]} [empty] Points that become empty.
 * @property {Side | null} [to_play] Who is to move.
 */
/**
 * The kind of an error, in one word for programs.
 * @typedef {'malformed' | 'invalid' | 'illegal' | 'state' | 'unknown' | 'busy' | 'rate' | 'internal'} Kind
 */
/**
 * Why something that was asked for is not done.
 * @typedef {object} Refusal
 * @property {Kind} kind In one word.
 * @property {string} message In a sentence that names the input and what was expected.
 */
/**
 * The experiments there are.
 * @typedef {object} Experiments
 * @property {string} folder Where they were looked for.
 * @property {Experiment[]} experiments The experiments, by name.
 */
/**
 * An experiment.
 * @typedef {object} Experiment
 * @property {string} name Its name.
 * @property {string} title Its title.
 * @property {number} games Games played.
 * @property {number} left Games left at most.
 * @property {boolean} playing Whether it is being played now.
 * @property {string | null} error The reason why it cannot be read.
 */
/**
 * How an experiment stands.
 * @typedef {object} Standings
 * @property {Experiment} experiment The experiment.
 * @property {StandingRow[]} rows The pairings, in the order of the file.
 */
/**
 * How a pairing stands.
 * @typedef {object} StandingRow
 * @property {number} pairing Its number.
 * @property {string} group Its group.
 * @property {[string, string]} names A and B.
 * @property {number} games Games that count.
 * @property {number} wins A's wins.
 * @property {number} draws Draws.
 * @property {number} losses A's losses.
 * @property {[number, number, number] | null} rate A's share of the points with its 95 % interval; none before any game.
 * @property {[number | null, number | null, number | null] | null} elo A's Elo above B with its 95 % interval; an end that games do not bound is none.
 * @property {number | null} los The likelihood that A is the better player, 0 to 1; none before the first colour pair.
 * @property {ScoreText} text The same in words, as the terminal and the report have them.
 * @property {string} state What is left to play, or the verdict.
 */
/**
 * Games of a pairing.
 * @typedef {object} Games
 * @property {string} experiment The experiment.
 * @property {number} pairing The pairing.
 * @property {number} skip How many were passed over.
 * @property {number} of How many there are.
 * @property {LabGame[]} games The games.
 */
/**
 * A game in a line.
 * @typedef {object} LabGame
 * @property {number} game Its number.
 * @property {string} black Who had Black.
 * @property {string} white Who had White.
 * @property {string} result `B+3.5`.
 * @property {number} moves Moves.
 */
/**
 * One root move: point, visits, value, win rate, P(a), the selector's score, then mean, weight and β of each model, and last the margin in points, if it is known.
 * @typedef {[number, number, number, number, number | null, number | null, [number, number, number][], number | null]} Arm
 */
/**
 * The results of a search so far. Values are those of the player to move.
 * @typedef {object} Report
 * @property {number} number The study's number.
 * @property {number} search Which of its searches, from 0.
 * @property {boolean} done Whether it is over.
 * @property {Side} to_play Who is to move.
 * @property {string[]} models The models' names.
 * @property {string} reward `win` or `score`: what values are.
 * @property {number} simulations Simulations so far.
 * @property {number} seconds Seconds of searching.
 * @property {number} nodes Nodes of the tree.
 * @property {number} bytes Bytes of the tree.
 * @property {boolean} is_full Whether memory ran out.
 * @property {number} win How often the player to move is expected to win.
 * @property {number} score The expected score, as Black sees it.
 * @property {number | null} choice The move that would be played.
 * @property {Arm[]} arms The moves, the most visited first.
 * @property {Record<string, number[]>} lines The expected lines of the first of them.
 * @property {number[]} ownership Who will own each point, −100 White to 100 Black; empty if it is not known.
 * @property {Sample[]} trail How it came about, since the last report.
 */
/**
 * The arms after a number of simulations.
 * @typedef {[number, ArmSample[]]} Sample
 */
/**
 * An arm at one moment: point, visits, value, then mean and β of each model.
 * @typedef {[number, number, number, [number, number][]]} ArmSample
 */
/**
 * A network's evaluation of a position, before any search.
 * @typedef {object} Raw
 * @property {number} number The study's number.
 * @property {string} net The network's name.
 * @property {number} win How often Black is expected to win.
 * @property {number} score The expected score, as Black sees it.
 * @property {number[]} policy The probability of each point, row by row from the top left, then of the pass.
 */
/**
 * A node of the tree after some moves.
 * @typedef {object} Branch
 * @property {number} number The study's number.
 * @property {number} search Which of its searches.
 * @property {number[]} line The moves from the root.
 * @property {Side | null} to_play Who is to move there; none if the tree does not go so far.
 * @property {Arm[]} arms The moves there, the most visited first, as that player sees them.
 */
/**
 * A review's result for one position, with Black's values.
 * @typedef {object} SurveyPoint
 * @property {number} number The review's number.
 * @property {number} ply Moves before the position.
 * @property {number} of How many positions there are.
 * @property {number} win How often Black is expected to win.
 * @property {number} score The expected score.
 * @property {number | null} best The best move.
 */
/**
 * The results of a review so far.
 * @typedef {object} ReviewMessage
 * @property {number} number The review's number.
 * @property {number} playouts Simulations for each position.
 * @property {number} share How much of the work is done, 0..=1.
 * @property {ReviewedMove[]} moves The mistakes, and the moves that may be mistakes.
 * @property {number[]} win How often Black is expected to win in each position, smoothed; empty before the end.
 * @property {number[]} score Black's expected score likewise.
 * @property {boolean} done Whether this is the last message.
 */
/**
 * A move that costs something, or may. Estimates are those of its player: the best guess, then an interval of 95 %.
 * @typedef {object} ReviewedMove
 * @property {number} ply The number of the move, from 1.
 * @property {string} verdict `mistake`, `blunder` or `unsure`.
 * @property {[number, number, number]} loss Its cost in win rate, 0..=1.
 * @property {[number, number, number]} points Its cost in points.
 * @property {number[]} line The better move, and the moves that may follow it.
 */
/**
 * The visitor's games.
 * @typedef {object} MyGames
 * @property {GameCard[]} games The games, those that were played or opened last first.
 * @property {number} max How many may be kept.
 */
/**
 * One of the visitor's games.
 * @typedef {object} GameCard
 * @property {number} id Its number.
 * @property {string | null} name What the visitor calls it.
 * @property {[string, string] | null} players Who played it, Black first, if it is the record of others.
 * @property {number} created When it was begun, in seconds since 1970; 0 if that is not known.
 * @property {number} changed When it was changed or opened last.
 * @property {number} size The board's side.
 * @property {Side} color The visitor's colour.
 * @property {number} level The level, from 1; one of those with a network if there is one.
 * @property {string | null} net The network that Tengen asks.
 * @property {number} handicap Handicap stones.
 * @property {Phase} phase Where it stands.
 * @property {string | null} result `B+3.5`, `W+R`, `B+T`.
 * @property {number} moves Moves.
 * @property {string} stones Its stones.
 */
/**
 * A move of the visitor's that is a mistake, beside a better one. Win rates are the visitor's.
 * @typedef {object} Lesson
 * @property {number} ply Moves before it.
 * @property {number} played How often the visitor is expected to win after it, 0..=1.
 * @property {number} best How often after the better move.
 * @property {number} low What it cost of the win rate at least, 0..=1: with `high` the interval that holds it with 95 % confidence.
 * @property {number} high What it cost at most.
 * @property {number} points Points that the move cost, about.
 * @property {number[]} played_line The move and what is expected after it.
 * @property {number[]} best_line The better move and what is expected after it.
 */
/**
 * A message of the server.
 * @typedef {{
 *   'error': ErrorMessage,
 *   'welcome': Welcome,
 *   'game': Game,
 *   'my-games': MyGames,
 *   'hint': Hint,
 *   'record': RecordFile,
 *   'tree': Tree,
 *   'edited': RecordFile,
 *   'problems': Problems,
 *   'problem-file': ProblemFile,
 *   'nets': Nets,
 *   'raw': Raw,
 *   'report': Report,
 *   'branch': Branch,
 *   'survey': SurveyPoint,
 *   'review': ReviewMessage,
 *   'experiments': Experiments,
 *   'standings': Standings,
 *   'games': Games,
 *   'runs': Runs,
 *   'run': RunMessage,
 *   'run-game': RunGame,
 * }} Tells
 */
/**
 * Something was wrong.
 * @typedef {object} ErrorMessage
 * @property {string | null} ask What was asked, if that could be read.
 * @property {Kind} kind In one word.
 * @property {string} message In a sentence.
 */
/**
 * The facts that a page needs first.
 * @typedef {object} Welcome
 * @property {string} session The session, to be remembered by the browser.
 * @property {string} version The program's version.
 * @property {Level[]} levels The levels, the weakest first.
 * @property {Level[]} net_levels The levels with a network, the weakest first.
 * @property {string | null} net The network that the server was started with.
 * @property {RecipeInfo[]} recipes The recipes by name.
 * @property {string[]} rules The rules by name.
 * @property {number} max_playouts Simulations of a study at most.
 */
/**
 * A level.
 * @typedef {object} Level
 * @property {string} name What it is called.
 * @property {number | null} playouts Simulations for each move.
 * @property {number} seconds Seconds for each move, at most.
 * @property {boolean} wavers Whether it wavers between the moves that come to its mind.
 */
/**
 * A recipe of the shelf.
 * @typedef {object} RecipeInfo
 * @property {string} name Its name.
 * @property {string} about What it is, in a line.
 * @property {string} brief The keys that differ from the defaults.
 * @property {boolean} asks_net Whether it asks a network from a file.
 */
/**
 * The networks there are.
 * @typedef {object} Nets
 * @property {NetInfo[]} nets By name, the one that the server was started with first.
 */
/**
 * A network that may be chosen.
 * @typedef {object} NetInfo
 * @property {string} name Its name.
 * @property {string} about What it is, in a few words.
 * @property {string | null} error Why it cannot be chosen, if it cannot.
 */
/**
 * Where a game stands.
 * @typedef {'playing' | 'counting' | 'over'} Phase
 */
/**
 * The game against Tengen.
 * @typedef {object} Game
 * @property {number} id Its number among the visitor's games.
 * @property {string | null} name What the visitor calls it.
 * @property {[string, string] | null} players Who played it, Black first, if it is the record of others.
 * @property {number} width Columns.
 * @property {number} height Rows.
 * @property {Side} color The visitor's colour.
 * @property {number} level The level, from 1; one of those with a network if there is one.
 * @property {string | null} net The network that Tengen asks.
 * @property {number} komi Points for White.
 * @property {string} rules Rules by name.
 * @property {number} handicap Handicap stones.
 * @property {string} start Stones before the first move.
 * @property {[Side, number][]} moves The moves.
 * @property {string} stones Stones now.
 * @property {Side} to_play Who is to move.
 * @property {[number, number]} captured Stones that Black and White have lost.
 * @property {Phase} phase Where the game stands.
 * @property {boolean} thinking Whether Tengen thinks.
 * @property {boolean} teach Whether costly moves of the visitor's are shown at once.
 * @property {boolean} checking Whether the visitor's last move is being compared with the best.
 * @property {Lesson | null} lesson What is wrong with the visitor's last move; Tengen waits until it is taken back or stands.
 * @property {string | null} trouble Why Tengen cannot move although it is its turn.
 * @property {number[]} dead Stones that count as dead, while counting and after.
 * @property {Score | null} score The count.
 * @property {string | null} result `B+3.5`, `W+R`, `B+T`.
 * @property {Clock | null} clock The clock, if there is one.
 */
/**
 * The clocks.
 * @typedef {object} Clock
 * @property {ClockTerms} terms What was agreed.
 * @property {[number, number]} left Seconds left of the main time or the period: Black, White.
 * @property {[number, number]} overtime Periods left in overtime; 0 in main time.
 * @property {Side | null} running Whose clock runs.
 */
/**
 * A count and where it comes from.
 * @typedef {object} Score
 * @property {string} result `B+3.5`.
 * @property {boolean} area Whether stones on the board count, or captured ones.
 * @property {Tally} black Black's.
 * @property {Tally} white White's.
 * @property {string} owners Who each point counts for: `X`, `O`, `.`.
 */
/**
 * One player's points.
 * @typedef {object} Tally
 * @property {number} stones Living stones.
 * @property {number} territory Surrounded points.
 * @property {number} tax Surrounded points that do not count.
 * @property {number} prisoners Enemy stones captured during the game.
 * @property {number} dead Dead enemy stones on the board.
 * @property {number} komi Komi.
 * @property {number} handicap Compensation for handicap stones.
 * @property {number} button For the first pass, under rules with a button.
 * @property {number} points All that counts.
 */
/**
 * A stronger player's move.
 * @typedef {object} Hint
 * @property {number} ply How many moves had been made.
 * @property {number} point The move.
 * @property {number | null} win How often it is expected to win, 0..=1, for the visitor.
 * @property {number[]} line The expected moves.
 */
/**
 * A file.
 * @typedef {object} RecordFile
 * @property {string} name A name for it.
 * @property {string} sgf Its text.
 */
/**
 * A record.
 * @typedef {object} Tree
 * @property {number | null} number The number of the message that asked for it, if it had one.
 * @property {string | null} sgf The file's bytes in base64, if the page does not have them.
 * @property {string} name What the game is called.
 * @property {number} width Columns.
 * @property {number} height Rows.
 * @property {number} komi Points for White.
 * @property {string} rules Rules by name.
 * @property {number} handicap Handicap stones that White is paid for.
 * @property {[string, string]} players The players, Black first.
 * @property {string} result The result as the record writes it.
 * @property {TreeNode[]} nodes The nodes, parents before children.
 * @property {TreeStop | null} stop Where the main line cannot be played any further.
 * @property {boolean} is_cut Whether some nodes were left out because there are too many or they cannot be shown.
 */
/**
 * A node of a record.
 * @typedef {object} TreeNode
 * @property {number | null} parent The index of its parent; none for the root.
 * @property {SpotStep[]} steps What happens.
 * @property {string} [comment] What somebody wrote.
 * @property {string} [name] What it is called.
 * @property {Markup} [marks] Marks on the board.
 * @property {boolean} [is_right] Whether a file of problems calls it right or wrong.
 */
/**
 * Where a record cannot be played any further.
 * @typedef {object} TreeStop
 * @property {number} moves Moves before it.
 * @property {string} why What is wrong with what follows.
 */
/**
 * Marks on a board, by their shapes.
 * @typedef {object} Markup
 * @property {number[]} [triangle] Triangles.
 * @property {number[]} [square] Squares.
 * @property {number[]} [circle] Circles.
 * @property {number[]} [cross] Crosses.
 * @property {number[]} [selected] Selected points.
 * @property {number[]} [black_territory] Black's territory.
 * @property {number[]} [white_territory] White's territory.
 * @property {[number, string][]} [labels] Words on points.
 */
/**
 * The exercises that are built in.
 * @typedef {object} Problems
 * @property {ProblemSet[]} sets By theme, the easier first.
 */
/**
 * Exercises of one theme.
 * @typedef {object} ProblemSet
 * @property {string} theme A word for the theme, such as `nakade`.
 * @property {Problem[]} problems The exercises.
 */
/**
 * A position with a right move.
 * @typedef {object} Problem
 * @property {string} title What it is about.
 * @property {Spot} spot The position; whoever is to move is to find the answer.
 * @property {number[]} right The right moves; if there are none, every move is right that is not wrong.
 * @property {number[]} wrong Wrong moves.
 */
/**
 * The games of a file of problems.
 * @typedef {object} ProblemFile
 * @property {number | null} number The number of the message that asked for it, if it had one.
 * @property {Tree[]} problems The games, in the order of the file, as far as there is room for them.
 * @property {boolean} is_cut Whether something of the file was left out: games without room or that are none of Go, or parts of games.
 */
/**
 * The runs of self-play there are.
 * @typedef {object} Runs
 * @property {string} folder Where they were looked for.
 * @property {Run[]} runs The runs, by name.
 */
/**
 * A run of self-play.
 * @typedef {object} Run
 * @property {string} name Its name.
 * @property {string} title Its title.
 * @property {string} game The game with its switches.
 * @property {string} net The size of its network.
 * @property {number} newest The number of its newest network.
 * @property {number} games Games played.
 * @property {number} cpu_hours Hours of processor time.
 * @property {number} elo The rating of the network that plays, above random weights.
 * @property {boolean} working Whether it works now.
 * @property {string | null} error The reason why it cannot be read.
 */
/**
 * A run and its latest games.
 * @typedef {object} RunMessage
 * @property {Run} run The run.
 * @property {RunLine[]} games Its latest games, the last one first.
 */
/**
 * A game of a run in a line.
 * @typedef {object} RunLine
 * @property {number} game Its number.
 * @property {number} net The network that played it.
 * @property {string} result Who won, and how.
 * @property {number} moves Moves.
 * @property {number} blind Moves at the beginning that were drawn blindly.
 */
/**
 * A game of a run, position by position.
 * @typedef {object} RunGame
 * @property {string} run The run.
 * @property {number} game The game's number.
 * @property {string} result Who won, and how.
 * @property {RunFrame[]} frames Its positions.
 */
/**
 * A position of a game of a run.
 * @typedef {object} RunFrame
 * @property {string} board The board as lines of text: `X` Black, `O` White.
 * @property {string | null} last The move that led to it; none at the beginning.
 * @property {number | null} black_win The share of wins that Black expected, where a full search looked.
 * @property {[string, number][]} candidates The moves that the search preferred, with their shares.
 */
/**
 * A score in words: what people read, the same in every outlet.
 * @typedef {object} ScoreText
 * @property {string} score A's wins and B's: `12 : 8`, or with draws `12 : 8, 1 draw`.
 * @property {string} rate A's share of the points in per cent: `60.0 %`.
 * @property {string} rate_interval Its interval: `[38.7, 78.1]`.
 * @property {string} elo The Elo difference: `+70`.
 * @property {string} elo_interval Its interval: `[−80, +221]`.
 * @property {string} los The likelihood of superiority: `81.4 %`.
 */
