// Types of what the server tells and of what views share. Nothing here runs.

/** @typedef {'black' | 'white'} Side */
/** @typedef {[Side, number]} Play A move: who and where; −1 is a pass. */
/** @typedef {{black?: number[], white?: number[], empty?: number[], to_play?: Side | null}} Setup */
/** @typedef {Play | Setup} Step */
/** @typedef {{width: number, height: number, komi: number, rules: string, handicap: number, steps: Step[]}} Spot */

/** @typedef {{name: string, playouts: number | null, seconds: number, wavers: boolean}} Level */
/** @typedef {{name: string, about: string, brief: string, asks_net: boolean}} RecipeInfo */
/** @typedef {{name: string, about: string, error: string | null}} NetInfo */
/** @typedef {{nets: NetInfo[]}} Nets */
/** @typedef {{session: string, version: string, levels: Level[], net_levels: Level[], net: string | null, recipes: RecipeInfo[], rules: string[], max_playouts: number}} Welcome */

/** @typedef {{stones: number, territory: number, tax: number, prisoners: number, dead: number, komi: number, handicap: number, button: number, points: number}} Tally */
/** @typedef {{result: string, area: boolean, black: Tally, white: Tally, owners: string}} Score */
/** @typedef {{main: number, period: number, periods: number}} ClockTerms */
/** @typedef {{terms: ClockTerms, left: [number, number], overtime: [number, number], running: Side | null}} Clock */
/**
 * @typedef {object} Game
 * @property {number} width
 * @property {number} height
 * @property {Side} color
 * @property {number} level
 * @property {string | null} net The network that Tengen asks.
 * @property {number} komi
 * @property {string} rules
 * @property {number} handicap
 * @property {string} start
 * @property {Play[]} moves
 * @property {string} stones
 * @property {Side} to_play
 * @property {[number, number]} captured
 * @property {'playing' | 'counting' | 'over'} phase
 * @property {boolean} thinking
 * @property {string | null} trouble Why Tengen cannot move.
 * @property {number[]} dead
 * @property {Score | null} score
 * @property {string | null} result
 * @property {Clock | null} clock
 */
/** @typedef {{ply: number, point: number, win: number | null, line: number[]}} Hint */
/** @typedef {{name: string, sgf: string}} RecordFile */
/** @typedef {{parent: number | null, steps: Step[], comment?: string}} TreeNode */
/** @typedef {{width: number, height: number, komi: number, rules: string, handicap: number, players: [string, string], result: string, nodes: TreeNode[], is_cut: boolean}} Tree */

/**
 * One root move: point, visits, value, win rate, P(a), the selector's score, then mean, weight and β of each model, and
 * last the margin in points of the player to move, if it is known.
 * @typedef {[number, number, number, number, number | null, number | null, [number, number, number][], number | null]} Arm
 */
/** @typedef {[number, [number, number, number, [number, number][]][]]} Sample */
/**
 * @typedef {object} Report
 * @property {number} number
 * @property {number} search
 * @property {boolean} done
 * @property {Side} to_play
 * @property {string[]} models
 * @property {'win' | 'score'} reward
 * @property {number} simulations
 * @property {number} seconds
 * @property {number} nodes
 * @property {number} bytes
 * @property {boolean} is_full
 * @property {number} win
 * @property {number} score
 * @property {number | null} choice
 * @property {Arm[]} arms
 * @property {Record<string, number[]>} lines
 * @property {number[]} ownership
 * @property {Sample[]} trail
 */
/**
 * What a network says by itself, as Black sees it; the policy row by row, then the pass.
 * @typedef {{number: number, net: string, win: number, score: number, policy: number[]}} Raw
 */
/** @typedef {{number: number, search: number, line: number[], to_play: Side | null, arms: Arm[]}} Branch */
/** @typedef {{number: number, ply: number, of: number, win: number, score: number, best: number | null, done: boolean}} SurveyPoint */
/** @typedef {{name: string, title: string, games: number, left: number, playing: boolean, error: string | null}} Experiment */
/** @typedef {{folder: string, experiments: Experiment[]}} Experiments */
/** @typedef {{pairing: number, group: string, names: [string, string], games: number, wins: number, draws: number, losses: number, rate: [number, number, number] | null, elo: (number | null)[] | null, los: number | null, text: {score: string, rate: string, rate_interval: string, elo: string, elo_interval: string, los: string}, state: string}} StandingRow */
/** @typedef {{experiment: Experiment, rows: StandingRow[]}} Standings */
/** @typedef {{experiment: string, pairing: number, skip: number, of: number, games: {game: number, black: string, white: string, result: string, moves: number}[]}} Games */
/** @typedef {{ask: string | null, kind: string, message: string}} Fault */

/**
 * What each message of the server holds, by its `tell`.
 * @typedef {object} Tells
 * @property {Fault} error
 * @property {Welcome} welcome
 * @property {Game} game
 * @property {Hint} hint
 * @property {RecordFile} record
 * @property {Tree} tree
 * @property {Nets} nets
 * @property {Raw} raw
 * @property {Report} report
 * @property {Branch} branch
 * @property {SurveyPoint} survey
 * @property {Experiments} experiments
 * @property {Standings} standings
 * @property {Games} games
 */

/**
 * A view: what main shows and tells of keys.
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {() => void} [enter]
 * @property {() => void} [leave]
 * @property {(event: KeyboardEvent) => boolean} [key] True if the key was used.
 */

export {};
