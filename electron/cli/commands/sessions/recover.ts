import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { facts } from '../../output/columns.ts'
import { sessionRows } from '../../output/session-rows.ts'

export function addRecover(program: Command, cli: Cli): void {
  engineCommand(program, cli, {
    usage: 'recover <wish> [session]',
    takes: [
      ['`on` or `off`', ['on', 'off']],
      'session id, its beginning, its name, or a terminal id; none: every session',
    ],
    summary: 'go on when a provider that failed answers again',
    description:
      'When a turn fails and the agent gives up, the session goes on by itself once its provider answers again. ' +
      'It is on where a goal is set.',
    examples: [
      ['onward recover on billing', 'this session, goal or not'],
      ['onward recover off', 'no session, unless it was switched on itself'],
    ],
    async ask(calls, [wish, session]: ['on' | 'off', string?]) {
      if (session !== undefined) return calls.setRecover.mutate({ session, on: wish === 'on' })
      await calls.setSetting.mutate({ name: 'recover.when', value: wish === 'on' ? 'always' : 'never' })
      return null
    },
    json: (view, [wish]) => view ?? { recover: wish, session: 'all' },
    tell: (view, { sentences, now, ...words }, [wish]) =>
      (view ? sessionRows([view], words, sentences, now) : '') +
      facts([['After a failed turn', wish === 'on' ? 'goes on by itself' : 'waits for you']], words.style.quiet),
  })
}
