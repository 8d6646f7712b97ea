import { describe, expect, it } from 'vitest'
import { onward, testHome } from '../testing/test-cli.ts'

describe('`onward run --headless`', () => {
  it.each([
    ['options of it without it', ['--junit', 'out.xml', '--', 'sh'], '--junit goes with --headless'],
    ['a check without it', ['--check', 'true', '--', 'sh'], '--check goes with --headless'],
    ['what needs a terminal', ['--headless', '--tmux', '--', 'claude', '-p', 'x'], '--tmux'],
    ['rounds of no goal', ['--headless', '--rounds', '3', '--', 'claude', '-p', 'x'], '--rounds goes with --goal'],
    ['rounds that are no number', ['--headless', '--rounds', 'few', '--', 'claude'], 'not “few”'],
    ['no agent', ['--headless'], 'needs a command'],
    ['a program that is none', ['--headless', '--', 'sh', '-c', 'true'], 'sh can’t be kept going without a terminal'],
    ['an agent with a screen', ['--headless', '--', 'codex'], 'this is no run that prints and ends'],
  ])('refuses %s, and starts nothing', async (_, words, why) => {
    const home = await testHome()
    const { code, err } = await onward(['run', '--home', home.path, ...words])
    expect(err).toContain(why)
    expect(code).toBe(2)
    await home.remove()
  })
})
