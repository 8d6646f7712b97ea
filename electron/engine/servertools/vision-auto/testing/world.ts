import { silentLog } from '../../../base/log.ts'
import { virtualClock, type VirtualClock } from '../../../base/testing/virtual-clock.ts'
import { OnwardError } from '../../../base/errors.ts'
import { createStore, type StoreProblem } from '../../../store/create-store.ts'
import { faultyFiles } from '../../../store/testing/faulty-files.ts'
import { memoryFiles } from '../../../store/testing/memory-files.ts'
import { createVisionAuto } from '../vision-auto.ts'
import type { DescribeImages, UnseenImage, VisionQuestion } from '../types.ts'

/** An engine's vision_auto over files that outlive it, and a model that describes what it is shown. */
export function visionWorld() {
  const disk = memoryFiles()
  const files = faultyFiles(disk)
  const clock: VirtualClock = virtualClock()
  const asked: VisionQuestion[] = []
  const problems: StoreProblem[] = []
  let hasRoute = true
  let atOnce = 0
  let mostAtOnce = 0
  let tookMs = 0
  const failing = new Map<string, string>()
  const silent = new Set<string>()

  const ask = async (question: VisionQuestion) => {
    asked.push(question)
    mostAtOnce = Math.max(mostAtOnce, ++atOnce)
    const what = nameOf(question)
    if (tookMs > 0)
      await new Promise<void>((done) => {
        clock.after(tookMs, done)
      })
    else await Promise.resolve()
    atOnce--
    const why = failing.get(what)
    if (why !== undefined) throw new OnwardError('vision-refused', why)
    return { text: silent.has(what) ? ' \n' : `  seen ${what}, ${asked.length} `, by: 'eye.m' }
  }
  const start = () =>
    createVisionAuto({
      ask,
      store: createStore({ root: '/r', files, clock, log: silentLog, onProblem: (one) => problems.push(one) }),
      clock,
      log: silentLog,
      hasVisionRoute: () => hasRoute,
    })
  let running = start()

  return {
    clock,
    asked,
    disk,
    files,
    problems,
    describe: ((images, mayAsk) => running.describeImages(images, mayAsk)) satisfies DescribeImages,
    tool: () => running.tool,
    /** what was shown, in order */
    shown: () => asked.map(nameOf),
    mostAtOnce: () => mostAtOnce,
    restart() {
      running = start()
    },
    takes(ms: number) {
      tookMs = ms
    },
    fails(what: string, why: string | null) {
      if (why === null) failing.delete(what)
      else failing.set(what, why)
    },
    saysNothingOf(what: string) {
      silent.add(what)
    },
    withoutRoute() {
      hasRoute = false
    },
  }
}

const nameOf = ({ image }: VisionQuestion): string =>
  image.kind === 'data' ? image.base64 : image.kind === 'url' ? image.url : image.id

export const picture = (name: string, asked = true, question: string | null = null): UnseenImage => ({
  hash: `#${name}`,
  asked,
  source: () => ({ kind: 'data', mediaType: 'image/png', base64: name }),
  question: () => question,
})
