import { describe, expect, it } from 'vitest'
import type { ControlApi } from '../../shared/operations/index.ts'
import { sampleTerminal } from '../engine/control/testing/fake-control-api.ts'
import { cliHomes } from './testing/cli-homes.ts'

const { against } = cliHomes()

describe('terminals', () => {
  it('are listed with what holds automation back', async () => {
    const { out } = await against(
      {
        terminals: async () => [
          sampleTerminal({ hold: { code: 'typing' } }),
          sampleTerminal({ id: 'term_2', alive: false, exitCode: 137, home: 'hosted', pane: null }),
        ],
      },
      ['terminals'],
    )
    expect(out).toContain('tmux %3')
    expect(out).toContain('~/code/billing')
    expect(out).toContain('ended with 137')
  })
  it('open with the agent’s arguments as they are, and without this terminal’s own environment', async () => {
    const asked: Parameters<ControlApi['openTerminal']>[0][] = []
    const { code } = await against(
      {
        openTerminal: async (input) => {
          asked.push(input)
          return sampleTerminal()
        },
      },
      ['terminals', 'open', 'codex', '--', 'exec', '--json', 'x'],
      { env: { PATH: '/bin', TMUX: 'a,1,2', TMUX_PANE: '%1' }, cwd: '/code/app' },
    )
    expect(code).toBe(0)
    expect(asked[0]).toMatchObject({
      client: 'codex',
      args: ['exec', '--json', 'x'],
      cwd: '/code/app',
      env: { PATH: '/bin' },
    })
    expect(asked[0]?.env).not.toHaveProperty('TMUX')
  })
  it('close and rename', async () => {
    const asked: unknown[] = []
    expect(
      (
        await against(
          {
            closeTerminal: async (id) => {
              asked.push(id)
            },
          },
          ['terminals', 'close', 'term_1'],
        )
      ).code,
    ).toBe(0)
    expect(
      (
        await against(
          {
            renameTerminal: async (...args) => {
              asked.push(args)
            },
          },
          ['terminals', 'rename', 'term_1', 'new name'],
        )
      ).code,
    ).toBe(0)
    expect(asked).toEqual(['term_1', [{ terminalId: 'term_1', name: 'new name' }]])
  })
  describe('adopt', () => {
    const pane = {
      socket: '/tmp/tmux-1000/default',
      paneId: '%7',
      pid: 41_207,
      client: 'claude' as const,
      tmuxSession: 'docs',
      cwd: '/home/ada/code/docs',
      command: 'claude',
    }
    const elsewhere = { ...pane, socket: '/tmp/tmux-1000/work', pid: 99 }
    const adopting = (panes: readonly (typeof pane)[]) => {
      const asked: unknown[] = []
      const calls: Partial<ControlApi> = {
        adoptablePanes: async (input) => {
          asked.push(input)
          return panes
        },
        adoptPane: async (input) => {
          asked.push(input)
          return sampleTerminal({ name: 'docs' })
        },
      }
      return { asked, calls }
    }
    it('lists agents nobody registered, on the tmux server of this terminal too', async () => {
      const { asked, calls } = adopting([pane])
      const { out } = await against(calls, ['terminals', 'adopt'], {
        env: { TMUX: '/tmp/a,b,12,0', HOME: '/home/ada' },
      })
      expect(out).toBe('%7  claude  docs  ~/code/docs\n')
      expect(asked).toEqual([{ sockets: ['/tmp/a,b'] }])
      expect((await against(adopting([]).calls, ['terminals', 'adopt'])).out).toContain('No agent runs in tmux')
      const several = await against(adopting([pane, elsewhere]).calls, ['terminals', 'adopt'])
      expect(several.out).toContain('/tmp/tmux-1000/work')
      const json = await against(calls, ['terminals', 'adopt', '--json'])
      expect(JSON.parse(json.out)).toEqual([pane])
    })
    it('registers a pane as it was listed', async () => {
      const { asked, calls } = adopting([pane])
      const { code, out } = await against(calls, ['terminals', 'adopt', '%7'])
      expect({ code, out }).toEqual({ code: 0, out: '● Adopted claude in docs %7 term_1\n' })
      expect(asked.at(-1)).toEqual({ socket: pane.socket, paneId: '%7', pid: 41_207 })
    })
    it('asks which tmux server is meant where several have such a pane', async () => {
      const { asked, calls } = adopting([pane, elsewhere])
      const { code, err } = await against(calls, ['terminals', 'adopt', '%7'])
      expect(code).toBe(5)
      expect(err).toContain('--socket /tmp/tmux-1000/default, or --socket /tmp/tmux-1000/work')
      expect(asked).toHaveLength(1)
      await against(calls, ['terminals', 'adopt', '%7', '--socket', elsewhere.socket])
      expect(asked.at(-1)).toEqual({ socket: elsewhere.socket, paneId: '%7', pid: 99 })
    })
    it('says what to do about a pane that is none of them', async () => {
      const { code, err } = await against(adopting([pane]).calls, ['terminals', 'adopt', '%8'])
      expect(code).toBe(5)
      expect(err).toContain('No pane %8 has an agent that could be adopted.')
    })
  })
  it('print a screen for a report', async () => {
    const asked: unknown[] = []
    const { code, out } = await against(
      {
        reportScreen: async (id) => {
          asked.push(id)
          return '{"client":"codex"}\n› xxxx\n'
        },
      },
      ['terminals', 'screen', 'term_1'],
    )
    expect({ code, out, asked }).toEqual({ code: 0, out: '{"client":"codex"}\n› xxxx\n', asked: ['term_1'] })
  })
  it('do not open what nobody knows', async () => {
    expect((await against({}, ['terminals', 'open', 'emacs'])).code).toBe(2)
    expect((await against({}, ['terminals', 'open', 'other'])).code).toBe(2)
  })
})
