/**
 * The agent of the demo: it does one item of a list in each turn and stops, as agents do. It asks the simulator
 * through Onward, and reports its state by OSC 7501, so everything else is as with a real one.
 */
import { createInputLine } from '../demo/input-line.ts'
import { languages, type Language } from '../../shared/words.ts'

interface DemoWords {
  title: string
  about: string
  /** what the person of the demo writes; the marker arms three rounds */
  first: string
  works: string
  did(n: number, of: number): string
  heard: string
  rest: string
  failed(why: string): string
}

const demoWords: Record<Language, DemoWords> = {
  en: {
    title: 'Onward demo agent',
    about: 'Its answers come from the built-in simulator. It does one item in each turn, and then it stops.',
    first: 'Do the four items of the list.\n<**stopMessage:"Go on with the next item.",3**>',
    works: 'works…',
    did: (n, of) => `Item ${n} of ${of} is done. I stop here.`,
    heard: 'I heard the alarm.',
    rest: 'Nothing is left to do.',
    failed: (why) => `No answer: ${why}`,
  },
  'zh-CN': {
    title: 'Onward 演示代理',
    about: '回答来自内置模拟器。它每个回合只做一项，做完就停。',
    first: '把清单上的四项做完。\n<**stopMessage:"继续下一项。",3**>',
    works: '运行中…',
    did: (n, of) => `第 ${n} 项（共 ${of} 项）做完了，先停在这里。`,
    heard: '听到闹钟了。',
    rest: '没有剩下的事了。',
    failed: (why) => `没有回答：${why}`,
  },
}

const ITEMS = 4
/** long enough to be seen working */
const TURN_MS = 1_500

const wanted = process.argv[process.argv.indexOf('--language') + 1]
const w = demoWords[languages.find((language) => language === wanted) ?? 'en']
const write = (text: string) => process.stdout.write(text)
const report = (state: 'idle' | 'working' | 'done' | 'clear') => write(`\x1b]7501;state=${state}:app=onward-demo\x1b\\`)
const lines = (text: string) => text.replaceAll('\n', '\r\n  ')
const prompt = (text: string) => write(`\r\x1b[K\x1b[1m›\x1b[0m ${text}`)
/** The text being typed keeps to one row, so that it can be drawn anew; wide characters take two columns. */
const draft = (text: string) => {
  const room = (process.stdout.columns ?? 80) - 4
  prompt([...(text.split('\n').at(-1) ?? '')].slice(-(/^[\x20-\x7e]*$/.test(text) ? room : room >> 1)).join(''))
}

const history: { role: 'user' | 'assistant'; content: string }[] = []
const waiting: string[] = []
let working = false
let items = 0

const input = createInputLine({
  changed: (text) => {
    if (!working) draft(text)
  },
  submit(text) {
    waiting.push(text)
    void work()
  },
  quit() {
    report('clear')
    write('\r\n')
    process.exit(0)
  },
})

async function work(): Promise<void> {
  if (working) return
  working = true
  report('working')
  for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
    prompt(lines(text))
    write(`\r\n\x1b[2m• ${w.works}\x1b[0m`)
    const said = await turn(text)
    write(`\r\x1b[K\x1b[32m•\x1b[0m ${said}\r\n\r\n`)
  }
  working = false
  draft(input.text)
  report('done')
}

async function turn(text: string): Promise<string> {
  history.push({ role: 'user', content: text })
  const [failed] = await Promise.all([
    ask(),
    new Promise((resolve) => {
      setTimeout(resolve, TURN_MS)
    }),
  ])
  const said = failed === null ? answer() : w.failed(failed)
  history.push({ role: 'assistant', content: said })
  return said
}

const answer = (): string => {
  items += 1
  return items <= ITEMS ? w.did(items, ITEMS) : items === ITEMS + 1 ? w.heard : w.rest
}

/** null: it was answered */
async function ask(): Promise<string | null> {
  try {
    const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
      body: JSON.stringify({ model: 'simulator/simulator', messages: history }),
    })
    const body = await response.text()
    return response.ok ? null : `${response.status} ${body.slice(0, 200)}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

process.stdin.setRawMode?.(true)
process.stdin.setEncoding('utf8')
process.stdin.on('data', (data) => input.take(String(data)))
process.stdin.on('end', () => process.exit(0))
process.on('SIGTERM', () => process.exit(143))
write(`\x1b[1m${w.title}\x1b[0m\r\n\x1b[2m${w.about}\x1b[0m\r\n\r\n\x1b[?2004h`)
report('idle')
waiting.push(w.first)
void work()
