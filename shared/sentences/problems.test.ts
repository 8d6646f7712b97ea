import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sentencesOf } from './index.ts'
import { sentences } from './zh/problems.ts'

/**
 * Folders of the engine whose errors end a start, a turn or a tool's call, or are for programs to read, and are no
 * answer of the control API to a person.
 */
const elsewhere = new RegExp(
  '^electron/engine/(gateway(?!/phone-)|control/(mcp|programs)|protocol|pipeline|web|providers|records|markers|' +
    'store/(home-format|lock|root)|' +
    'servertools/(web-fetch|web-search|clock|vision-auto|tool-rounds|review|continue-execution|empty-reply))',
)
/** Of the remaining folders, these end a start, or stand in the timeline and the log. */
const noAnswers = new Set([
  'after-turn',
  'checks',
  'collector-away',
  'outbox',
  'sessions-unread',
  'terminal-read',
  'typing-failed',
  'announce-failed',
  'control-token',
  'engine-file',
  'link-broken',
  'session-dir',
  'socket-failed',
  'socket-not-ours',
])

/** every code that the engine's sources hand to an error a viewer can be answered with, with its English sentence */
const codes = (): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const paths = ['electron/engine', 'electron/machines'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  for (const path of paths) {
    const file = path.replaceAll('\\', '/')
    if (!file.endsWith('.ts') || elsewhere.test(file) || /\.test\.ts$|\/testing\//.test(file)) continue
    const text = readFileSync(file, 'utf8')
    for (const pattern of [
      /new OnwardError\(\s*'([a-z-]+)'/g,
      /(?:refusal|conflict|bad)\(\s*'([a-z-]+)'/g,
      /problem\(\s*machine,\s*'([a-z-]+)'/g,
      /\[\s*'(machine-[a-z-]+)',\s*\//g,
      /\bcode: '([a-z-]+)',\s*(?:message|say|said):\s/g,
    ])
      for (const match of text.matchAll(pattern))
        if (match[1] !== undefined && !noAnswers.has(match[1])) found.set(match[1], file)
  }
  return found
}

/** answers of a provider's test, which `notAnswered` puts into words */
const ofTests = new Set([
  'client-login',
  'key-missing',
  'key-refused',
  'limit',
  'model-unknown',
  'no-answer',
  'no-list',
  'no-models',
  'redirected',
  'refused',
])
const chinese = /\p{Script=Han}/u

describe('a refusal of the engine', () => {
  it('has a sentence in both languages, whichever it is', () => {
    const all = codes()
    expect(all.size).toBeGreaterThan(80)
    for (const [code, file] of all) {
      if (ofTests.has(code)) continue
      const problem = { code, said: 'As the engine says it.', facts: {} }
      const said = sentencesOf('zh-CN').problem(problem)
      expect(`${code} of ${file}: ${said}`).toMatch(chinese)
      expect(said).toMatch(/[。）]$/)
      expect(sentencesOf('en').problem(problem)).toMatch(/\.$/)
    }
  })

  it('is told in no sentence that nothing asks for', () => {
    const all = codes()
    expect(Object.keys(sentences).filter((code) => !all.has(code) && !fromBelow.has(code))).toEqual([])
  })

  it('names what it is about', () => {
    const { problem } = sentencesOf('zh-CN')
    expect(problem({ code: 'program-not-found', said: '', facts: { program: 'codex' } })).toContain('没有找到 codex，')
    expect(
      problem({ code: 'ended-at-once', said: '', facts: { program: 'codex', exitCode: 2, words: 'no login' } }),
    ).toBe('codex 一打开就以 2 结束。它说：no login')
  })

  it('is told as the engine says it where its code is not known', () => {
    const problem = { code: 'of-tomorrow', said: 'Something new is wrong.', facts: {} }
    for (const language of ['en', 'zh-CN'] as const)
      expect(sentencesOf(language).problem(problem)).toBe('Something new is wrong.')
  })
})

describe('a provider that was tried in vain', () => {
  it.each([...ofTests, 'timed-out', 'upstream-unreachable', 'of-tomorrow'])('is told of in Chinese: %s', (code) => {
    const test = { code, message: 'In English.', key: 'main', status: 401, model: 'glm-5', said: 'invalid api key' }
    const said = sentencesOf('zh-CN').notAnswered({ provider: 'zai', test })
    expect(said).toMatch(chinese)
    expect(said).toMatch(/它说：invalid api key$/)
    expect(said).not.toContain('In English')
    expect(sentencesOf('en').notAnswered({ provider: 'zai', test })).toBe('In English.')
  })
})

/** Their code comes in a variable: from a terminal's host, or from a call to a model. */
const fromBelow = new Set(['drive-over', 'drive-unknown', 'agent-gone', 'bad-config', 'bad-request', 'bad-scenario'])
