/** A real Claude Code, kept going by Onward, asks it over MCP: it calls a tool of `onward mcp` in a turn. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstOf, notOnLinux, unless } from '../shared/testing/unless.ts'
import { onwardBin } from './support/engine-process.ts'
import { callTool, say, type MockReply } from './support/mock-upstream/index.ts'
import { agentMissing, realAgents } from './support/real/index.ts'
import { agentWorld } from './support/real/world.ts'
import { tmuxMissing } from './support/tmux.ts'

const { claude } = realAgents

describe('a Claude Code with onward mcp', unless(firstOf(notOnLinux, tmuxMissing, agentMissing(claude))), () => {
  const world = agentWorld(claude)

  it('hears of its own session, and of none beside it', async () => {
    const { mock, engine } = world
    const replies: MockReply[] = []
    mock.script(({ auxiliary }) => (auxiliary === null ? replies.shift() : undefined))
    const config = join(engine.home, 'mcp.json')
    const server = { command: process.execPath, args: [onwardBin, 'mcp', '--home', engine.home] }
    writeFileSync(config, JSON.stringify({ mcpServers: { onward: server } }))
    const mcp = ['--mcp-config', config, '--allowedTools', 'mcp__onward__sessions,mcp__onward__say']
    const other = await world.start(claude, { how: 'pane', name: 'first' })
    await other.say('Begin with the first part.')
    await other.shows('One part is written.')
    const asks = await world.start(claude, { how: 'pane', name: 'second', args: mcp })
    replies.push(callTool('mcp__onward__sessions', {}), say('I see my own session.'))
    await asks.say('Which sessions are there?')
    await asks.shows('I see my own session.')
    const sessions = [...engine.control.sessions.values()]
    const own = sessions.find(({ cwd }) => cwd === asks.cwd)
    const theirs = sessions.find(({ cwd }) => cwd === other.cwd)
    const result = mock.turns().at(-1)?.body.toString('utf8') ?? ''
    expect(result).toContain(own?.id)
    expect(result).toContain('tool_result')
    expect(theirs).toBeDefined()
    expect(result).not.toContain(theirs?.id)

    // what it says to itself comes as its next message, once
    replies.push(
      callTool('mcp__onward__say', { session: own?.id, text: 'Now the next part.' }),
      say('I left myself a message.'),
      say('The next part is done.'),
    )
    await asks.say('Leave yourself a message.')
    await asks.shows('The next part is done.')
    const came = mock.turns().filter(({ lastUserText }) => lastUserText?.includes('Now the next part.'))
    expect(came).toHaveLength(1)
  })
})
