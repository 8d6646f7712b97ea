import { describe, expect, it } from 'vitest'
import { parseMarkers } from './parse.ts'
import { someTargets } from '../testing/texts.ts'
import type { Command, InvalidMarkerCode } from '../types.ts'

const one = (marker: string, language: 'en' | 'zh-CN' = 'en'): Command => {
  const { instructions } = parseMarkers(`text ${marker} text`, { language, targets: someTargets })
  expect(instructions).toHaveLength(1)
  const { marker: written, ...command } = instructions[0] ?? { marker: '', kind: 'clear' }
  expect(written).toBe(marker)
  return command
}
const set = (text: string | null, max: number | null, review: boolean): Command => ({
  kind: 'stop-message-set',
  text:
    text === null ? { kind: 'default', text: 'Continue with the next step and finish it.' } : { kind: 'text', text },
  max,
  review,
})
const file = (path: string, max: number | null, review: boolean): Command => ({
  kind: 'stop-message-set',
  text: { kind: 'file', path },
  max,
  review,
})
const clear: Command = { kind: 'stop-message-clear' }

describe('the stopMessage family', () => {
  it.each<[string, Command]>([
    ['<**stopMessage:"text",3**>', set('text', 3, false)],
    ['<**stopMessage:"text"**>', set('text', 10, false)],
    ['<**stopMessage:on,3**>', set(null, 3, false)],
    ['<**stopMessage:on/3**>', set(null, 3, false)],
    ['<**stopMessage:3**>', set(null, 3, false)],
    ['<**stopMessage:on**>', set(null, 10, false)],
    ['<**stopMessage:clear**>', clear],
    ['<**stopMessage:off**>', clear],
    ['<**sm:"goal",3**>', set('goal', 3, true)],
    ['<**sm:"goal"**>', set('goal', null, true)],
    ['<**sm:on/3**>', set(null, 3, true)],
    ['<**sm:on,3**>', set(null, 3, true)],
    ['<**sm:3**>', set(null, 3, true)],
    ['<**sm:on**>', set(null, null, true)],
    ['<**sm:off**>', clear],
    ['<**sm:clear**>', clear],
    ['<**sm:"goal",3,ai:off**>', set('goal', 3, false)],
    ['<**sm:"goal",ai:off,3**>', set('goal', 3, false)],
    ['<**sm:on,ai:off**>', set(null, null, false)],
    ['<**sm:3,ai:off**>', set(null, 3, false)],
    ['<**stopMessage:"text",ai:on**>', set('text', 10, true)],
    ['<**stopMessage:"text",ai:on,4**>', set('text', 4, true)],
    ['<**sm:<file://goals/notes/goal.md>**>', file('goals/notes/goal.md', null, true)],
    ['<**sm:file://goals/goal.md**>', file('goals/goal.md', null, true)],
    ['<**sm:<file://goals/a, b.md>,5,ai:off**>', file('goals/a, b.md', 5, false)],
    ['<**sm:file://.onward/goals/goal.md,5,ai:off**>', file('.onward/goals/goal.md', 5, false)],
    ['<**stopMessage:<file://goals/goal.md>,2**>', file('goals/goal.md', 2, false)],
  ])('reads %s', (marker, expected) => {
    expect(one(marker)).toEqual(expected)
  })

  it.each<[string, string, Command]>([
    ['names in any case', '<**SM:ON/3**>', set(null, 3, true)],
    ['names in any case', '<**StopMessage:OFF**>', clear],
    ['a comma behind the name', '<**sm,"goal",3**>', set('goal', 3, true)],
    ['a comma behind the name', '<**stopMessage,3**>', set(null, 3, false)],
    ['full-width punctuation', '<**sm：“目标”，3，ai：off**>', set('目标', 3, false)],
    ['white space around parts', '<** sm : "goal" , 3 ,\n ai : off **>', set('goal', 3, false)],
    ['signs of the grammar inside quotes', '<**sm:"a, b **> c: d/3",2**>', set('a, b **> c: d/3', 2, true)],
    ['escaped quotes', String.raw`<**sm:"say \"hi\" in C:\new"**>`, set(String.raw`say "hi" in C:\new`, null, true)],
    ['several lines', '<**sm:"one\n\ntwo",2**>', set('one\n\ntwo', 2, true)],
    ['empty quotes as the default text', '<**sm:"",3**>', set(null, 3, true)],
    ['blank quotes as the default text', '<**stopMessage:“ ”**>', set(null, 10, false)],
    ['leading zeros', '<**sm:007**>', set(null, 7, true)],
  ])('accepts %s: %s', (_, marker, expected) => {
    expect(one(marker)).toEqual(expected)
  })

  it.each<[string, InvalidMarkerCode]>([
    ['<**sm:on/abc**>', 'bad-rounds'],
    ['<**sm:on/**>', 'bad-rounds'],
    ['<**sm:"x",0**>', 'bad-rounds'],
    ['<**sm:30x**>', 'bad-rounds'],
    ['<**sm:0**>', 'bad-rounds'],
    ['<**sm:-3**>', 'bad-rounds'],
    ['<**sm:3.5**>', 'bad-rounds'],
    ['<**sm:１０**>', 'unknown-option'],
    ['<**sm:"x",1e3**>', 'bad-rounds'],
    ['<**sm:99999999999999999999**>', 'bad-rounds'],
    ['<**sm:on/3,4**>', 'bad-rounds'],
    ['<**sm:"x",3,4**>', 'bad-rounds'],
    ['<**sm:"x",ai:maybe**>', 'bad-option'],
    ['<**sm:"x",ai:on,ai:off**>', 'bad-option'],
    ['<**sm:"x",**>', 'bad-option'],
    ['<**sm:"x","y"**>', 'bad-option'],
    ['<**sm:off,3**>', 'bad-option'],
    ['<**sm:"x"3**>', 'bad-text'],
    ['<**sm:"x**>', 'bad-text'],
    ['<**stopMessage:“x,3**>', 'bad-text'],
    ['<**sm:<file://a.md>x**>', 'bad-text'],
    ['<**sm:<file://a.md**>', 'bad-text'],
    ['<**sm:**>', 'no-value'],
    ['<**sm**>', 'no-value'],
    ['<**stopMessage**>', 'no-value'],
    ['<**sm:go on**>', 'unknown-option'],
    ['<**sm:onward**>', 'unknown-option'],
    ['<**sm:file:///etc/passwd**>', 'bad-path'],
    ['<**sm:<file://C:\\goal.md>**>', 'bad-path'],
    ['<**sm:<file://\\\\host\\goal.md>**>', 'bad-path'],
    ['<**sm:<file://~/goal.md>**>', 'bad-path'],
    ['<**sm:<file://../goal.md>**>', 'bad-path'],
    ['<**sm:file://control-token**>', 'bad-path'],
    ['<**sm:file://goal.md**>', 'bad-path'],
    ['<**sm:<file://notes/goal.md>**>', 'bad-path'],
    ['<**sm:<file://goals>**>', 'bad-path'],
    ['<**sm:<file://goals/../control-token>**>', 'bad-path'],
    ['<**sm:<file://a/../../goal.md>**>', 'bad-path'],
    ['<**sm:<file://a\\..\\goal.md>**>', 'bad-path'],
    ['<**sm:<file://>**>', 'bad-path'],
    ['<**sm:<file://a\u0000b>**>', 'bad-path'],
    ['<**sm:<file://a"b".md>**>', 'bad-path'],
    ['<**sm:file://a*.md**>', 'bad-path'],
    ['<**sm:file://a>b.md**>', 'bad-path'],
  ])('refuses %s as %s', (marker, code) => {
    const command = one(marker)
    expect(command).toMatchObject({ kind: 'invalid', code })
    expect(command.kind === 'invalid' && command.message).toMatch(/^[“A-Z].*\.$/)
  })

  it('takes the default text in the language asked for', () => {
    expect(one('<**sm:on**>', 'zh-CN')).toMatchObject({ text: { kind: 'default', text: '继续执行' } })
  })
})
