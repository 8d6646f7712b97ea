// Figures beside the lanes, in groups that `--only` can name. Of single parts of the engine without a network, of its
// start, its disk and its memory over time.
import { alarmFigures } from './alarm-figures.mjs'
import { chatBody } from './bodies.mjs'
import { cliFigures } from './cli-figures.mjs'
import { goalFigures } from './goal-figures.mjs'
import { hostFigures } from './host-figures.mjs'
import { idleFigures } from './idle-figures.mjs'
import { program } from './onward.mjs'
import { pageFigures } from './page-figures.mjs'
import { dayFigures } from './day-figures.mjs'
import { loadFigures } from './load-figures.mjs'
import { load, median } from './parts.mjs'
import { routerFigures } from './router-figures.mjs'
import { scaleFigures } from './scale-figures.mjs'
import { servertoolFigures } from './servertool-figures.mjs'
import { soakFigures } from './soak-figures.mjs'
import { startFigures } from './start-figures.mjs'
import { storeFigures } from './store-figures.mjs'
import { tagFigures } from './tag-figures.mjs'
import { typedFigures } from './typed-figures.mjs'

function timesOf(count, work) {
  const ms = []
  for (let i = 0; i < count; i++) {
    const from = performance.now()
    work()
    ms.push(performance.now() - from)
  }
  return ms
}

async function partFigures() {
  const markers = await load('electron/engine/markers/index.ts')
  const chat = await load('electron/engine/protocol/chat/codec.ts')
  const hostile = '<**'.repeat(350_000)
  const body = chatBody(500_000)
  return [
    {
      title: '1 MB of hostile marker text',
      unit: 'ms',
      value: median(timesOf(7, () => markers.stripText(hostile))),
      limits: [50, 10],
    },
    {
      title: 'longest block: reading a 500 KB body',
      unit: 'ms',
      value: median(
        timesOf(15, () => {
          const lens = chat.chatCodec.read(body)
          lens.lastMessage()
          lens.historyDigest()
        }),
      ),
      limits: [15, 8],
    },
  ]
}

const groups = {
  'figures-parts': partFigures,
  'figures-page': pageFigures,
  'figures-router': routerFigures,
  'figures-idle': (upstream) => idleFigures(program, upstream),
  'figures-start': () => startFigures(program),
  'figures-host': hostFigures,
  'figures-scale': scaleFigures,
  'figures-day': dayFigures,
  'figures-load': (upstream) => loadFigures(upstream),
  'figures-cli': (upstream) => cliFigures(program, upstream),
  'figures-store': storeFigures,
  'figures-alarms': alarmFigures,
  'figures-goal': (upstream) => goalFigures(program, upstream),
  'figures-servertools': (upstream) => servertoolFigures(program, upstream),
  'figures-tag': (upstream) => tagFigures(program, upstream),
  'figures-typed': typedFigures,
  'figures-soak': (upstream) => soakFigures(program, upstream),
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
