import { describe, expect, it } from 'vitest'
import type { AgentEnding } from '../../terminals/host/messages.ts'
import { decideRevive, type EndFacts } from './revive.ts'

const minute = 60_000
const now = 10 * 60 * minute
const by = (signal: string | null, asked: AgentEnding['asked'] = null): Partial<EndFacts> => ({
  exitCode: null,
  ending: { signal, asked, resumes: true },
})
const code = (exitCode: number, asked: AgentEnding['asked'] = null): Partial<EndFacts> => ({
  exitCode,
  ending: { signal: null, asked, resumes: true },
})
const decided = (change: Partial<EndFacts>) => {
  const facts: EndFacts = {
    wanted: true,
    armed: true,
    exitCode: 1,
    ending: { signal: null, asked: null, resumes: true },
    canResume: true,
    conversationKnown: true,
    starts: [],
    ...change,
  }
  const decision = decideRevive(facts, now)
  return decision?.kind === 'rests' ? decision.why : (decision?.kind ?? 'nothing')
}

describe('an agent that ended while a goal is set', () => {
  it.each<[string, Partial<EndFacts>, string]>([
    ['crashed', code(1), 'again'],
    ['was killed', by('SIGKILL'), 'again'],
    ['was killed, as its shell says it', code(137), 'again'],
    ['was told to end by somebody else', by('SIGTERM'), 'again'],
    ['crashed on its memory', by('SIGABRT'), 'again'],
    ['crashed on a pointer', by('SIGSEGV'), 'again'],
    ['ended nobody knows how', by(null), 'again'],
    ['was quit, and ended well', code(0, 'person'), 'quit'],
    ['was quit, and ended with an error', code(1, 'person'), 'quit'],
    ['was quit, hung, and was killed', by('SIGKILL', 'person'), 'quit'],
    ['was closed with its terminal', by('SIGKILL', 'told'), 'told'],
    ['lost its terminal', by('SIGHUP'), 'told'],
    ['was interrupted', by('SIGINT'), 'told'],
    ['was interrupted, as its shell says it', code(130), 'told'],
    ['ended well, nobody knows why', code(0), 'ended-well'],
    ['is none that is known', { canResume: false }, 'no-resume'],
    ['has arguments that nobody knows', { ending: { signal: null, asked: null, resumes: false } }, 'arguments'],
    ['had a conversation that nobody knows', { conversationKnown: false }, 'no-conversation'],
    ['was started again twice', { starts: [now - 2 * minute, now - minute] }, 'again'],
    ['was started again three times', { starts: [now - 59 * minute, now - 2 * minute, now - minute] }, 'too-often'],
    ['was, an hour ago', { starts: [now - 60 * minute, now - 2 * minute, now - minute] }, 'again'],
    ['is in a host of an earlier version', { ending: null }, 'nothing'],
    ['has no goal any more', { armed: false }, 'nothing'],
    ['is not wanted back', { wanted: false }, 'nothing'],
  ])('%s', (_what, change, expected) => expect(decided(change)).toBe(expected))
})
