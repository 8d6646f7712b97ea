import { waitFor } from '../../shared/testing/wait-for.ts'
import type { Key } from '../support/agent-driver.ts'
import type { Person } from '../support/real/person.ts'
import type { RealAgent } from '../support/real/types.ts'

/** What a person does at this agent besides writing messages: how, in its own commands. */
export interface Moves {
  /** begins a new conversation */
  fresh: string
  /** opens the list of earlier conversations, which filters by what is typed */
  list: { command: string; shows: RegExp; search?: Key }
  /** gives the conversation a name; null: it has no such command */
  rename: ((name: string) => string) | null
  /** asks something beside the conversation, and leaves the answer; null: it has no such command */
  aside: { command(question: string): string; leave: readonly Key[] } | null
  /** looks at the other conversations and comes back to this one; null: it has no such view */
  glance: { offered: RegExp; go: readonly Key[]; shows: RegExp; back: readonly Key[] } | null
}

/** Seen with the pinned versions. */
export const moves: Readonly<Record<RealAgent['client'], Moves>> = {
  claude: {
    fresh: '/clear',
    list: { command: '/resume', shows: /Resume session/ },
    rename: (name) => `/rename ${name}`,
    aside: { command: (question) => `/btw ${question}`, leave: ['Escape'] },
    glance: { offered: /← for agents/, go: ['Left'], shows: /describe a task for a new session/, back: ['Escape'] },
  },
  codex: {
    fresh: '/new',
    list: { command: '/resume', shows: /Resume a previous session/ },
    rename: (name) => `/rename ${name}`,
    aside: null,
    glance: null,
  },
  opencode: {
    fresh: '/new',
    list: { command: '/sessions', shows: /Sessions +esc/ },
    rename: null,
    aside: null,
    glance: null,
  },
  gemini: {
    fresh: '/clear',
    list: { command: '/resume', shows: /Chat Sessions/, search: '/' },
    rename: null,
    aside: null,
    glance: null,
  },
  qwen: {
    fresh: '/clear',
    list: { command: '/resume', shows: /Resume Session/ },
    rename: (name) => `/rename ${name}`,
    aside: { command: (question) => `/btw ${question}`, leave: ['Escape'] },
    glance: null,
  },
}

/** A person whose hands know what came of the keys. */
export interface Typist {
  person: Person
  /** their keys met a text that was just typed, and they take both out: `screen` as it stood before */
  tookOut(screen: string, text: string): void
  log(line: string): void
}

/** Types a command of the agent's and sends it. */
export async function command(typist: Typist, text: string): Promise<void> {
  const { person } = typist
  await person.ready()
  const inAnother = () => person.screen().split(new RegExp(`[^\\s/]${text}|${text}[^\\s/]`)).length
  const before = inAnother()
  person.type(text)
  // These keys come all at once: where they met a text of Onward's before its Enter, they went with it. What
  // still stands there is taken out.
  const shown = await waitFor('the typed text', () => person.screen().includes(text), 15_000).catch(() => false)
  if (!shown) {
    typist.log(`“${text}” met other keys and is typed again`)
    return command(typist, text)
  }
  await pause(800)
  if (inAnother() > before) {
    typist.tookOut(person.screen(), text)
    person.press('C-u')
    return command(typist, text)
  }
  person.press('Enter')
}

/** Brings back an earlier conversation by a word of its first message or title. Returns false where it is not there. */
export async function goTo(typist: Typist, { list }: Moves, word: string): Promise<boolean> {
  const { person } = typist
  await command(typist, list.command)
  await person.shows(list.shows)
  if (list.search) person.press(list.search)
  person.type(word)
  await pause(1_500)
  // Some lists take the words first, and the conversation with a second Enter.
  for (let presses = 0; presses < 3 && list.shows.test(person.screen()); presses++) {
    person.press('Enter')
    await pause(2_000)
  }
  for (let presses = 0; presses < 3 && list.shows.test(person.screen()); presses++) {
    person.press('Escape')
    await pause(1_500)
  }
  await person.ready()
  return person
    .until(`the conversation about ${word}`, () => person.screen().includes(`about ${word}`), 20_000)
    .then(
      () => true,
      () => false,
    )
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
