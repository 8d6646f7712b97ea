import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { nothingMore } from './support/nothing-more.ts'
import { startQwen } from './support/qwen.ts'
import { tmuxMissing } from './support/tmux.ts'
import { share } from '../shared/testing/runs.ts'
import { unless } from '../shared/testing/unless.ts'

const rounds = share(10)
const followup = 'carry on with the next part'

describe('a real Qwen Code that draws without colours', unless(tmuxMissing), () => {
  const world = codexWorld({ type: 'openai-chat' })

  it.each([
    ['pane', { CI: '1' }],
    ['hosted', { NO_COLOR: '1' }],
  ] as const)('goes on, though its suggested prompt looks like a draft (%s, %j)', async (how, env) => {
    const { mock, engine, tmux } = world
    const qwen = await startQwen({ engine, tmux, how, env, args: ['--approval-mode', 'yolo'] })
    await qwen.say(`Write the parts. <**stopMessage:"${followup}",${rounds}**>`)
    const session = await engine.control.session((s) => s.shape === 'done' || s.shape === 'failed', 180_000)
    expect(session.stopMessage).toMatchObject({ used: rounds, status: { kind: 'done' } })
    await nothingMore(mock, engine)
    expect(mock.turns()).toHaveLength(rounds + 1)
    expect(mock.requests.some(({ auxiliary }) => auxiliary === 'suggestion')).toBe(true)

    const asked = () => mock.requests.filter(({ auxiliary }) => auxiliary === 'suggestion').length
    const suggested = () => qwen.until('a suggestion', () => /^[>*] Mock session/m.test(qwen.screen()))
    await suggested()
    const before = asked()
    await engine.control.api.say.mutate({ session: session.id, text: 'over the suggestion' })
    expect((await mock.turn(rounds + 2)).lastUserText).toBe('over the suggestion')

    // and a suggestion that the person accepts is their draft; the earlier one may still stand there for a moment
    await qwen.until('another suggestion to be asked for', () => asked() > before)
    await suggested()
    const report = await engine.control.api.reportScreen.query(session.terminalId ?? '')
    expect(report).toMatch(/^\{"from":"(?:tmux|pty)","client":"qwen",/)
    expect(report.replace(/␛\[[\d;]*m/g, '')).toContain('\n* Xxxx xxxxxxx')
    expect(report).not.toMatch(/Mock|carry/)
    qwen.press('Tab')
    await engine.control.api.say.mutate({ session: session.id, text: 'not into a draft' })
    // not only a key of the person's: it stands there as a draft. An Enter right behind Tab would be one paste with it.
    await engine.control.session((s) => s.queue[0]?.hold?.code === 'draft')
    expect(qwen.screen()).not.toContain('not into a draft')
    qwen.press('Enter')
    const after = [await mock.turn(rounds + 3), await mock.turn(rounds + 4)]
    expect(after.map(({ lastUserText }) => lastUserText)).toEqual(['Mock session', 'not into a draft'])
    expect(mock.problems).toEqual([])
    qwen.dispose()
  })
})
