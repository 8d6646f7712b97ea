import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clientKinds } from '../../../../shared/words.ts'
import { viewOfCaptured } from '../screen/captured.ts'
import { linesOf, type ScreenView } from '../screen/view.ts'
import { agents } from './index.ts'
import { loadScreen, readScreen } from './testing/load-screen.ts'
import { reportScreen } from './report-screen.ts'

const recorded = readdirSync(new URL('./fixtures/', import.meta.url)).map((file) => file.replace(/\.screen$/, ''))
const agentOf = (name: string) => agents[clientKinds.find((one) => name.startsWith(`${one}-`)) ?? 'other']
const head = (report: string): unknown => JSON.parse(report.split('\n')[0] ?? '')

const widths = (view: ScreenView) =>
  linesOf(view).map((line) => line.replace(/[\p{M}\p{Cf}\u{fe0e}\u{fe0f}]/gu, '').trimEnd().length)

const shown = (text: string, title = ''): Promise<ScreenView> =>
  viewOfCaptured({
    text,
    cols: 60,
    rows: 4,
    cursor: { x: 2, y: 1 },
    cursorVisible: true,
    title,
    bracketedPaste: null,
  })

describe('a screen for a report', () => {
  it('has no letter and no digit of what stood there, in any script, wherever it hides', async () => {
    const view = await shown(
      'Über 42 naïve Привет ½ e\u0301\n> 我的密码 ｱｲｳ １２ ok\u{e0041}\u{e0042}\n' +
        '\u001b]8;;https://secret.example/\u001b\\link\u001b]8;;\u001b\\',
      'fix the Leak in ~/work',
    )
    const report = reportScreen(view, agents.gemini, 'pty')
    const [facts, ...rows] = report.split('\n')
    expect(rows.join('\n').replace(/␛\[[\d;]*m/g, '')).toBe('Xxxx 99 xxxxx Xxxxxx 9 x\n> 口口口口 xxx ９９ xx\nxxxx\n')
    expect(head(report)).toMatchObject({ client: 'gemini', version: 'unknown', title: 'xxx xxx Xxxx xx ~/xxxx' })
    expect(facts).not.toContain('Leak')
  })

  it('keeps signs, rules, colours and where the cursor is', async () => {
    const view = await shown(
      '\u001b[38;5;103m────\u001b[0m\n\u001b[1;38;2;1;2;3m*\u001b[0m ' +
        '\u001b[7mr\u001b[27mun  \u001b[48;5;240m  \u001b[0m',
    )
    expect(reportScreen(view, agents.qwen, 'tmux').split('\n').slice(1)).toEqual([
      '␛[0;38;5;103m────␛[0m',
      '␛[0;1;38;2;1;2;3m*␛[0m ␛[0;7mx␛[0mxx  ␛[0;48;5;240m  ␛[0m',
      '',
    ])
    expect(head(reportScreen(view, agents.qwen, 'tmux'))).toMatchObject({ cols: 60, rows: 4, cursor: { x: 2, y: 1 } })
  })

  it('leaves nothing to read of any recorded screen, and its input line in its place', async () => {
    for (const name of recorded) {
      const view = await loadScreen(name)
      const agent = agentOf(name)
      const back = await readScreen(reportScreen(view, agent, 'tmux'))
      expect(linesOf(back).join(' '), name).not.toMatch(/(?![xX9口９])[\p{L}\p{N}]/u)
      expect(widths(back), name).toEqual(widths(view))
      // of a draft that is scrolled away only a word says so
      if (!name.includes('scrolled'))
        expect(agent.screen?.findComposer(back), name).toEqual(agent.screen?.findComposer(view))
    }
  })

  it('names the version in the banner, a mode of the client, and what Onward took the screen for', async () => {
    const yolo = await loadScreen('qwen-yolo')
    expect(head(reportScreen(yolo, agents.qwen, 'tmux'))).toMatchObject({
      client: 'qwen',
      version: '0.24.4',
      mode: 'yolo',
      read: 'idle, composer empty',
    })
    expect(head(reportScreen(await loadScreen('codex-bang'), agents.codex, 'tmux'))).toMatchObject({
      mode: 'shell mode',
      read: 'dialog, composer unseen',
    })
    expect(head(reportScreen(await loadScreen('qwen-vim-bang'), agents.qwen, 'tmux'))).toMatchObject({
      mode: 'insert',
      read: 'unknown sign !',
    })
  })
})
