// Figures beside the lanes, in groups that `--only` can name: the page, starts, alarms, fleets and stops.
import { alarmFigures } from './alarm-figures.mjs'
import { fleetFigures } from './fleet-figures.mjs'
import { goalFigures } from './goal-figures.mjs'
import { idleFigures } from './idle-figures.mjs'
import { program } from './onward.mjs'
import { pageFigures } from './page-figures.mjs'
import { telemetryFigures } from './telemetry-figures.mjs'
import { startFigures } from './start-figures.mjs'
import { typedFigures } from './typed-figures.mjs'

const groups = {
  'figures-page': pageFigures,
  'figures-idle': (upstream) => idleFigures(program, upstream),
  'figures-start': () => startFigures(program),
  'figures-alarms': alarmFigures,
  'figures-fleet': fleetFigures,
  'figures-goal': goalFigures,
  'figures-typed': typedFigures,
  'figures-telemetry': telemetryFigures,
}

/**
 * group, title, unit, value and, where there are any, [must, goal] and the values the range is of.
 * @param wanted which groups, by id
 */
export async function engineFigures(wanted, upstream, say) {
  const figures = []
  for (const [id, measure] of Object.entries(groups)) {
    if (!wanted(id)) continue
    say(id)
    try {
      figures.push(...(await measure(upstream)).map((figure) => ({ ...figure, group: id })))
    } catch (error) {
      // What a quarter of an hour has measured is not lost with it.
      process.exitCode = 1
      say(`${id} could not be measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
  }
  return figures
}
